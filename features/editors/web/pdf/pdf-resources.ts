/** Addresses of what pdf.js may need besides its code, by file name: each is read only for a file that wants it. */
const addresses = {
  /** Tables of Asian letters. */
  cMapUrl: byName(
    import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
  ),
  /** The fonts that a file may name without bringing them. */
  standardFontDataUrl: byName(
    import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
  ),
  /** Decoders of pictures in scans: JBIG2 and JPEG 2000. */
  wasmUrl: byName(
    import.meta.glob<string>('../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
  ),
}

/** Reads them for pdf.js, from this site. */
export class PdfResources {
  async fetch({ kind, filename }: { kind: keyof typeof addresses; filename: string }): Promise<Uint8Array> {
    const address = addresses[kind].get(filename)
    if (address === undefined) throw new Error(`There is no ${filename} here.`)
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${filename} could not be loaded.`)
    return new Uint8Array(await response.arrayBuffer())
  }
}

function byName(addresses: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(addresses).map(([path, address]) => [path.slice(path.lastIndexOf('/') + 1), address]),
  )
}
