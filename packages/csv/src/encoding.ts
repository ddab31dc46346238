/** An encoding of text, by its name in the Encoding standard. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * Detects the encoding of a file: by its byte order mark, by the zero bytes of UTF-16, and otherwise by whether the bytes
 * are valid UTF-8.
 * @param bytes beginning of the file, at least 3 bytes unless it is shorter
 * @param isWhole whether no more bytes follow
 */
export function detectEncoding(bytes: Uint8Array, isWhole: boolean): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  const sample = bytes.subarray(0, 1000)
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2]!++
  })
  const many = sample.length / 4
  if (zeros[1]! > many && zeros[0] === 0) return 'utf-16le'
  if (zeros[0]! > many && zeros[1] === 0) return 'utf-16be'
  try {
    // The last character of the beginning may be truncated.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
