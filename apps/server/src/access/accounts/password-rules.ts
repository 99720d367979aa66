// What may be a password. Length counts, not kinds of characters (NIST SP 800-63B); what guessers try first is refused.
import { PatchbayError, passwordLengths } from "@patchbay/protocol";

/** The commonest of leaked passwords with at least ten characters, and what people make of the product's name. */
const common = new Set(
  `1234567890 12345678910 123456789a 1234567891 0123456789 0987654321 9876543210 1111111111 0000000000 1212121212 1q2w3e4r5t 1qaz2wsx3edc
  1q2w3e4r5t6y q1w2e3r4t5 q1w2e3r4t5y6 qwertyuiop qwerty12345 qwerty1234 qwerty123456 qwertyuiop123 asdfghjkl1 asdfghjkl123 zxcvbnm123
  abcdefghij abcd123456 abc1234567 a123456789 aa12345678 aaaaaaaaaa password12 password123 password1234 password12345 password01 passw0rd123
  passwort123 passwort1234 passwordpassword mypassword mypassword1 p@ssw0rd123 p@ssword123 letmein123 letmein1234 welcome123 welcome1234
  iloveyou12 iloveyou123 iloveyou1234 ilovemyself administrator admin12345 admin123456 administrator1 changeme123 changeme1234 secret1234
  football123 basketball baseball123 superman123 princess123 sunshine123 monkey12345 dragon12345 trustno1trustno1 unbelievable
  liverpool1 manchester charlotte1 jacqueline christopher alexander1 elizabeth1 michelle123 hallohallo hallo12345 schatz12345
  correcthorsebatterystaple patchbay12 patchbay123 patchbay1234 patchbaypatchbay`.split(/\s+/),
);

/** Throws a sentence for the person who chose it. */
export function checkPassword(password: string, { handle, name }: { handle: string; name: string }): void {
  const { min, max } = passwordLengths;
  const length = Array.from(password).length;
  if (length < min) throw new PatchbayError("bad_request", `Use at least ${min} characters.`);
  if (length > max) throw new PatchbayError("bad_request", `Use at most ${max} characters.`);
  const plain = password.toLowerCase();
  const isOneSequence = new Set(plain).size <= 2;
  if (common.has(plain) || isOneSequence)
    throw new PatchbayError(
      "bad_request",
      "This password is among the first that are tried. Choose another one.",
    );
  const bare = [handle, name].map((own) => own.toLowerCase().replaceAll(/\s/g, ""));
  if (bare.some((own) => own.length >= 4 && plain.replaceAll(own, "").replaceAll(/[\d\W_]/g, "") === ""))
    throw new PatchbayError("bad_request", "Your name is too easy to guess. Choose another password.");
}
