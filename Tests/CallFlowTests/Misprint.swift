/// What is printed wrong in a flow, or left to the reader, so that no message can be read there as it stands.
struct Misprint {
  var flow: String
  var place: Int
  var printed: String
  var meant: String

  init(_ flow: String, _ place: Int, _ printed: String, _ meant: String) {
    self.flow = flow
    self.place = place
    self.printed = printed
    self.meant = meant
  }

  static let all: [Misprint] = [
    Misprint("rfc3515/4.1", 1, "(whatever URI)", "<sip:c@atlanta.example.com>"),
    Misprint("rfc3515/4.1", 3, "(depends on Refer-To URI)", "60"),
    Misprint("rfc3515/4.2", 1, "(some different URI)", "<sip:d@atlanta.example.com>"),
    Misprint("rfc3515/4.2", 3, "(depends on Refer-To URI)", "60"),
    Misprint("rfc5359/2.1", 4, " Content Length:0\n", ""),
    Misprint("rfc5359/2.1", 5, " Content Length: 0\n", ""),
    Misprint("rfc5359/2.2", 4, " Content Length:0\n", ""),
    Misprint("rfc5359/2.2", 5, " Content Length: 0\n", ""),
    Misprint("rfc5359/2.2", 19, " Content Length:0\n", ""),
    Misprint("rfc5359/2.2", 19, "9876543210@atlanta", "9876543210@biloxi"),
    Misprint("rfc5359/2.2", 20, " Content Length: 0\n", ""),
    // A URI has to stand there.
    Misprint("rfc5359/2.4", 5, "<alice@atlanta", "<sips:alice@atlanta"),
    Misprint("rfc5359/2.4", 11, "<alice@atlanta", "<sips:alice@atlanta"),
    // The fragment is left out.
    Misprint("rfc5359/2.4", 7, "Content-Length: 0\n", "\nSIP/2.0 100 Trying"),
    // The callee's own tag is the first one (RFC 3891 3).
    Misprint("rfc5359/2.6", 7, "to-tag=3145678;from-tag=1234567", "to-tag=1234567;from-tag=3145678"),
    Misprint("rfc5359/2.7", 5, " Content Length:0\n", ""),
    Misprint("rfc5359/2.7", 6, " Content Length: 0\n", ""),
    // From is the URI that the dialog has been made with (RFC 3261 12.2.1.1).
    Misprint(
      "rfc5359/2.15", 23, "Alice <sips:alice@atlanta.example.com>;tag=098594",
      "<sips:a8342043f@atlanta.example.com;gr>;tag=098594"),
    Misprint(
      "rfc5407/3.1.4", 4, "tag=8321234356\n",
      "tag=8321234356\nCall-ID: 3848276298220188511@atlanta.example.com\nCSeq: 1 ACK\n"),
    Misprint("rfc5407/3.1.4", 5, "sip:sip:", "sip:"),
    Misprint("rfc5407/3.1.4", 7, "sip:sip:", "sip:"),
    Misprint("rfc5407/3.1.5", 4, "sip:sip:", "sip:"),
    // The INVITE has the number 1, and so has its ACK (RFC 3261 13.2.2.4).
    Misprint("rfc5407/3.2.3", 3, "2 ACK", "1 ACK"),
    Misprint("rfc5407/3.3.1", 1, "sip:sip:", "sip:"),
    Misprint("rfc5407/3.3.1", 4, "sip:sip:", "sip:"),
    Misprint("rfc5589/6.1", 5, "521 REFER", "521 INVITE"),
    Misprint("rfc5589/7.3", 5, "from-tag3D763231", "from-tag%3D763231"),
    Misprint("rfc5589/7.5", 5, "pc33.atlanta.com", "pc33.atlanta.example.com"),
    Misprint("rfc5589/7.5", 9, "pc33.atlanta.com", "pc33.atlanta.example.com"),
    Misprint("rfc5589/7.5", 12, "pc33.atlanta.com", "pc33.atlanta.example.com"),
    Misprint("rfc5589/8", 2, "from-\n tag=76323\n", "from-tag=763231\n"),
    // The bodies are cut.
    Misprint("rfc6086/12.2.2.1", 1, "...\n", "\n1\n--theboundary--\n"),
    Misprint("rfc6086/12.2.2.2", 1, "Content-length: 59", "\n1\n--theboundary--\n"),
    Misprint("rfc6086/12.2.2.3", 1, "Content-length: 59", "\n1\n--theboundary--\n"),
  ]
}
