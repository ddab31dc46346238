/** URLs of the resources of pdf.js, by file name. Each is loaded only for files that need it. */
const addresses = {
  /** Character maps of Asian scripts. */
  cMapUrl: byName(
    import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
  ),
  /** Standard fonts, which files need not embed. */
  standardFontDataUrl: byName(
    import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
  ),
  /** Decoders of images in scans: JBIG2 and JPEG 2000. */
  wasmUrl: byName(
    import.meta.glob<string>('../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    }),
  ),
}

/** Loads the resources for pdf.js from this site. */
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
