import Testing

/// The clean project in the form that Xcode 16 writes: folders that synchronise themselves with their targets.
enum SynchronisedProject {
  static let files = TestFiles.shop.editing([
    .write(DoctorCase.pbx, project), .write("Shop/Sub/Empty.swift", "import UIKit\n"),
    .bytes("Shop/Assets.xcassets/AppIcon.appiconset/Contents.json", Array("{}".utf8)),
  ])

  private static let settings = """
    CODE_SIGN_ENTITLEMENTS = NAME/NAME.entitlements; CURRENT_PROJECT_VERSION = 1; GENERATE_INFOPLIST_FILE = YES;
    INFOPLIST_FILE = NAME/Info.plist; IPHONEOS_DEPLOYMENT_TARGET = 17.0; MARKETING_VERSION = 1.0;
    PRODUCT_NAME = "$(TARGET_NAME)";
    """

  private static func settings(_ name: String, _ id: String) -> String {
    settings.components(around: "NAME/").joined(separator: "\(name)/").components(around: "/NAME").joined(
      separator: "/\(name)")
      + " PRODUCT_BUNDLE_IDENTIFIER = \"\(id)\";"
  }

  static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tobjectVersion = 77;
    \tobjects = {
    \t\tP1 = {isa = PBXFileReference; explicitFileType = wrapper.application; path = Shop.app; sourceTree = BUILT_PRODUCTS_DIR; };
    \t\tP2 = {isa = PBXFileReference; explicitFileType = "wrapper.app-extension"; path = Bell.appex; sourceTree = BUILT_PRODUCTS_DIR; };
    \t\tB1 = {isa = PBXBuildFile; fileRef = P2; };
    \t\tC1 = {isa = PBXCopyFilesBuildPhase; dstSubfolderSpec = 13; files = (B1, ); name = "Embed Foundation Extensions"; };
    \t\tC2 = {isa = PBXSourcesBuildPhase; files = ( ); };
    \t\tC3 = {isa = PBXResourcesBuildPhase; files = ( ); };
    /* Begin PBXFileSystemSynchronizedBuildFileExceptionSet section */
    \t\tX1 = {
    \t\t\tisa = PBXFileSystemSynchronizedBuildFileExceptionSet;
    \t\t\tmembershipExceptions = (
    \t\t\t\tInfo.plist,
    \t\t\t);
    \t\t\ttarget = T2;
    \t\t};
    /* End PBXFileSystemSynchronizedBuildFileExceptionSet section */
    \t\tS1 = {isa = PBXFileSystemSynchronizedRootGroup; path = Shop; sourceTree = "<group>"; };
    \t\tS2 = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = (X1, ); path = Bell; sourceTree = "<group>"; };
    \t\tG1 = {isa = PBXGroup; children = (S1, S2, ); sourceTree = "<group>"; };
    \t\tT1 = {isa = PBXNativeTarget; buildConfigurationList = L1; buildPhases = (C2, C3, C1, ); fileSystemSynchronizedGroups = (S1, ); name = Shop; productReference = P1; productType = "com.apple.product-type.application"; };
    \t\tT2 = {isa = PBXNativeTarget; buildConfigurationList = L2; buildPhases = (C2, C3, ); fileSystemSynchronizedGroups = (S2, ); name = Bell; productReference = P2; productType = "com.apple.product-type.app-extension"; };
    \t\tR = {isa = PBXProject; buildConfigurationList = L0; mainGroup = G1; targets = (T1, T2, ); };
    \t\tV0 = {isa = XCBuildConfiguration; buildSettings = {APP_ID = com.example.shop; GROUP_ID = group.com.example.shop; }; name = Release; };
    \t\tV1 = {isa = XCBuildConfiguration; buildSettings = {\(settings("Shop", "$(APP_ID)"))}; name = Release; };
    \t\tV2 = {isa = XCBuildConfiguration; buildSettings = {\(settings("Bell", "${APP_ID}.bell"))}; name = Release; };
    \t\tL0 = {isa = XCConfigurationList; buildConfigurations = (V0, ); };
    \t\tL1 = {isa = XCConfigurationList; buildConfigurations = (V1, ); };
    \t\tL2 = {isa = XCConfigurationList; buildConfigurations = (V2, ); };
    \t};
    \trootObject = R;
    }
    """
}
