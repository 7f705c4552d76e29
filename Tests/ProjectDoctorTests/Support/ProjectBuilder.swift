import ProjectDoctor

/// Writes a project.pbxproj in the form that Xcode 12 to 15 save: sections, identifiers with comments, groups by folder.
struct ProjectBuilder {
  struct Target {
    var name: String
    /// The end of the product type, such as `app-extension`.
    var product: String
    var sources: [String] = []
    var resources: [String] = []
    /// Folder references among the resources.
    var folders: [String] = []
    var settings: [String: String] = [:]
    /// Extensions that this target embeds.
    var embeds: [String] = []
    /// Script phases by name, before or after the embed phase.
    var scriptsBefore: [String] = []
    var scriptsAfter: [String] = []
    /// The xcconfig file of each configuration.
    var configs: [String: String] = [:]
  }

  var targets: [Target]
  var configurations = ["Debug", "Release"]
  /// Settings of the project itself.
  var settings: [String: String] = ["IPHONEOS_DEPLOYMENT_TARGET": "15.0", "SDKROOT": "iphoneos"]

  private func id(_ kind: String, _ name: String) -> String {
    // 24 hexadecimal digits that stay the same: FNV-1a, 64 bits, twice.
    func hash(_ text: String) -> UInt64 {
      text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
    let digits =
      String(hash(kind + name), radix: 16, uppercase: true) + String(hash(name + kind), radix: 16, uppercase: true)
    return String((digits + "000000000000000000000000").prefix(24))
  }

  private func reference(_ kind: String, _ name: String) -> String {
    "\(id(kind, name)) /* \(name.components(around: "/").last ?? name) */"
  }

  private func list(_ rows: [String]) -> String { "(\n" + rows.map { "\t\t\t\t\($0),\n" }.joined() + "\t\t\t)" }

  private func quoted(_ text: String) -> String {
    let isBare = !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._/".contains($0)) }
    return isBare ? text : "\"" + text.components(around: "\"").joined(separator: "\\\"") + "\""
  }

  private var files: [String] {
    Array(Set(targets.flatMap { $0.sources + $0.resources + $0.folders + $0.configs.values })).sorted()
  }

  /// The text of the file.
  var text: String {
    let sections: [(String, String)] = [
      ("PBXBuildFile", targets.map(buildFiles).joined()),
      ("PBXCopyFilesBuildPhase", targets.map(copyPhase).joined()),
      ("PBXFileReference", files.map(fileReference).joined() + targets.map(product).joined()),
      ("PBXGroup", groups), ("PBXNativeTarget", targets.map(target).joined()),
      ("PBXProject", project), ("PBXResourcesBuildPhase", targets.map(resources).joined()),
      ("PBXShellScriptBuildPhase", targets.map(scripts).joined()),
      ("PBXSourcesBuildPhase", targets.map(sources).joined()),
      (
        "XCBuildConfiguration",
        configurations.map { configuration($0, "Project", settings, nil) }.joined()
          + targets.map { target in
            configurations.map { configuration($0, target.name, target.settings, target.configs[$0]) }.joined()
          }.joined()
      ),
      ("XCConfigurationList", configurationList("Project") + targets.map { configurationList($0.name) }.joined()),
    ]
    let body = sections.map { "\n/* Begin \($0) section */\n\($1)/* End \($0) section */\n" }.joined()
    return "// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tclasses = {\n\t};\n\tobjectVersion = 54;\n\tobjects = {\n" + body
      + "\t};\n\trootObject = \(reference("Project", "Project object"));\n}\n"
  }

  private func buildFiles(_ target: Target) -> String {
    func row(_ phase: String, _ file: String, _ kind: String) -> String {
      "\t\t\(id("Build" + target.name, file)) /* \(file) in \(phase) */ = {isa = PBXBuildFile; fileRef = \(reference(kind, file)); };\n"
    }
    return target.sources.map { row("Sources", $0, "File") }.joined()
      + (target.resources + target.folders).map { row("Resources", $0, "File") }.joined()
      + target.embeds.map {
        "\t\t\(id("Build" + target.name, $0)) /* \($0).appex in Embed Foundation Extensions */ = {isa = PBXBuildFile; fileRef = \(reference("Product", $0)); settings = {ATTRIBUTES = (RemoveHeadersOnCopy, ); }; };\n"
      }.joined()
  }

  private func copyPhase(_ target: Target) -> String {
    if target.embeds.isEmpty { return "" }
    return
      "\t\t\(reference("Embed", target.name)) = {\n\t\t\tisa = PBXCopyFilesBuildPhase;\n\t\t\tbuildActionMask = 2147483647;\n"
      + "\t\t\tdstPath = \"\";\n\t\t\tdstSubfolderSpec = 13;\n\t\t\tfiles = "
      + list(target.embeds.map { reference("Build" + target.name, $0) })
      + ";\n\t\t\tname = \"Embed Foundation Extensions\";\n\t\t\trunOnlyForDeploymentPostprocessing = 0;\n\t\t};\n"
  }

  private func fileReference(_ file: String) -> String {
    let types = ["swift": "sourcecode.swift", "m": "sourcecode.c.objc", "mm": "sourcecode.cpp.objcpp", "caf": "file"]
    let isFolder = targets.contains { $0.folders.contains(file) }
    let type = isFolder ? "folder" : types[file.components(around: ".").last ?? ""] ?? "text"
    let name = file.components(around: "/").last ?? file
    return "\t\t\(reference("File", file)) = {isa = PBXFileReference; lastKnownFileType = \(type); "
      + (name == file ? "" : "name = \(quoted(name)); ") + "path = \(quoted(file)); sourceTree = SOURCE_ROOT; };\n"
  }

  private func product(_ target: Target) -> String {
    let suffix = target.product == "application" ? "app" : "appex"
    return
      "\t\t\(reference("Product", target.name)) = {isa = PBXFileReference; explicitFileType = \"wrapper.\(target.product)\"; "
      + "includeInIndex = 0; path = \(quoted("\(target.name).\(suffix)")); sourceTree = BUILT_PRODUCTS_DIR; };\n"
  }

  private var groups: String {
    let children = files.map { reference("File", $0) } + targets.map { reference("Product", $0.name) }
    return
      "\t\t\(id("Group", "main")) = {\n\t\t\tisa = PBXGroup;\n\t\t\tchildren = \(list(children));\n\t\t\tsourceTree = \"<group>\";\n\t\t};\n"
  }

  private func target(_ target: Target) -> String {
    var phases = [reference("Sources", target.name)]
    phases += target.scriptsBefore.map { reference("Script" + target.name, $0) }
    if !target.embeds.isEmpty { phases.append(reference("Embed", target.name)) }
    phases += target.scriptsAfter.map { reference("Script" + target.name, $0) } + [reference("Resources", target.name)]
    return "\t\t\(reference("Target", target.name)) = {\n\t\t\tisa = PBXNativeTarget;\n"
      + "\t\t\tbuildConfigurationList = \(id("List", target.name));\n\t\t\tbuildPhases = \(list(phases));\n"
      + "\t\t\tbuildRules = (\n\t\t\t);\n\t\t\tdependencies = (\n\t\t\t);\n\t\t\tname = \(quoted(target.name));\n"
      + "\t\t\tproductName = \(quoted(target.name));\n\t\t\tproductReference = \(reference("Product", target.name));\n"
      + "\t\t\tproductType = \"com.apple.product-type.\(target.product)\";\n\t\t};\n"
  }

  private var project: String {
    "\t\t\(reference("Project", "Project object")) = {\n\t\t\tisa = PBXProject;\n\t\t\tattributes = {\n\t\t\t\tLastUpgradeCheck = 1510;\n\t\t\t};\n"
      + "\t\t\tbuildConfigurationList = \(id("List", "Project"));\n\t\t\tdevelopmentRegion = en;\n"
      + "\t\t\tmainGroup = \(id("Group", "main"));\n\t\t\tprojectDirPath = \"\";\n\t\t\tprojectRoot = \"\";\n"
      + "\t\t\ttargets = \(list(targets.map { reference("Target", $0.name) }));\n\t\t};\n"
  }

  private func phase(_ kind: String, _ target: Target, _ files: [String]) -> String {
    "\t\t\(reference(kind, target.name)) = {\n\t\t\tisa = PBX\(kind)BuildPhase;\n\t\t\tbuildActionMask = 2147483647;\n"
      + "\t\t\tfiles = \(list(files.map { reference("Build" + target.name, $0) }));\n\t\t};\n"
  }

  private func resources(_ target: Target) -> String { phase("Resources", target, target.resources + target.folders) }
  private func sources(_ target: Target) -> String { phase("Sources", target, target.sources) }

  private func scripts(_ target: Target) -> String {
    (target.scriptsBefore + target.scriptsAfter).map {
      "\t\t\(reference("Script" + target.name, $0)) = {\n\t\t\tisa = PBXShellScriptBuildPhase;\n\t\t\tfiles = (\n\t\t\t);\n"
        + "\t\t\tname = \(quoted($0));\n\t\t\tshellPath = /bin/sh;\n"
        + "\t\t\tshellScript = \"/bin/sh \\\"$FLUTTER_ROOT/x.sh\\\" build\\n\";\n\t\t};\n"
    }.joined()
  }

  private func configuration(_ name: String, _ owner: String, _ settings: [String: String], _ config: String?) -> String
  {
    "\t\t\(id("Config" + owner, name)) /* \(name) */ = {\n\t\t\tisa = XCBuildConfiguration;\n"
      + (config.map { "\t\t\tbaseConfigurationReference = \(reference("File", $0));\n" } ?? "")
      + "\t\t\tbuildSettings = {\n"
      + settings.sorted { $0.key < $1.key }.map { "\t\t\t\t\(quoted($0)) = \(quoted($1));\n" }.joined()
      + "\t\t\t};\n\t\t\tname = \(name);\n\t\t};\n"
  }

  private func configurationList(_ owner: String) -> String {
    "\t\t\(id("List", owner)) = {\n\t\t\tisa = XCConfigurationList;\n\t\t\tbuildConfigurations = "
      + list(configurations.map { reference("Config" + owner, $0) })
      + ";\n\t\t\tdefaultConfigurationIsVisible = 0;\n\t\t\tdefaultConfigurationName = Release;\n\t\t};\n"
  }
}
