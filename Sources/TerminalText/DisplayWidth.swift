/// How many columns a terminal takes for a text.
public enum DisplayWidth {
  /// The columns of all scalars together.
  public static func of(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
    scalars.reduce(0) { $0 + of($1) }
  }

  /// A blank for what a terminal would not show as one column or act upon: tabs and other control characters.
  public static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    isControl(scalar) ? " " : scalar
  }

  /// The text with `\u{202E}` and the like for what a terminal would act upon: a text that quotes another one must not
  /// be disguised by it.
  public static func printable(_ text: some StringProtocol) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return String(text) }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// 0 for what joins the character before, 2 for East Asian wide characters (Unicode Standard Annex 11) and emoji.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    if isControl(scalar) { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CD5, 0x1AFF0...0x1B2FB, 0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// C0, DEL, C1, line ends, and what turns the direction of the text around: a text must not disguise itself.
  public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
