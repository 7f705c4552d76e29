// Room: checks of Xcode projects, .app, .ipa, sound folders and payload files, rules as data.
