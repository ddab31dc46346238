/** First bytes of the supported image types. */
const signatures: readonly { type: string; at: number; bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
]

/** Number of characters that are searched for the root element of an SVG document. */
const svgHead = 4096

/**
 * Returns the media type of an image by its content, not by its name; undefined for unsupported content. An SVG document is only
 * displayed as an image, where browsers run no scripts and load no other resources.
 */
export async function imageTypeOf(content: Blob): Promise<string | undefined> {
  const head = new Uint8Array(await content.slice(0, svgHead).arrayBuffer())
  const known = signatures.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte))
  if (known !== undefined) return known.type
  return /<svg[\s>]/i.test(new TextDecoder().decode(head)) ? 'image/svg+xml' : undefined
}
