// Room: checks of Xcode projects, .app, .ipa, sound folders and payload files, rules as data.
//
// Rules/ is the table; Lint/ reads payloads; Doctor/ reads projects, bundles and sounds; Parsing/, Xcode/, Bundle/ and
// Source/ turn what tools write into values and never trap on what they are given; Report/ prints. Files are reached
// through `FileTree`, so that a folder, an archive and a test's dictionary are checked alike.
