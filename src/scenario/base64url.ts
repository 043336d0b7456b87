// Bytes as text that may stand in an address: base64 with "-" and "_", without padding (RFC 4648, section 5).

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const VALUE_OF: ReadonlyMap<number, number> = new Map([...ALPHABET].map((char, value) => [char.charCodeAt(0), value]));

/** O(bytes). */
export function toBase64url(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i]!, bytes[i + 1], bytes[i + 2]];
    parts.push(ALPHABET[a >> 2]! + ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)]!);
    if (b !== undefined) parts.push(ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)]!);
    if (c !== undefined) parts.push(ALPHABET[c & 63]!);
  }
  return parts.join('');
}

/** The bytes, or undefined when `text` holds another character or has a length that no bytes give. "=" at the end is passed over. O(text). */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const body = text.replace(/={1,2}$/, '');
  if (body.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < body.length; i++) {
    const value = VALUE_OF.get(body.charCodeAt(i));
    if (value === undefined) return undefined;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
  }
  return bytes;
}
