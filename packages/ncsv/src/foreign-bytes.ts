const signatures: readonly { bytes: readonly number[]; name: string }[] = [
  { bytes: [0xff, 0xfe], name: 'text in UTF-16 (little endian)' },
  { bytes: [0xfe, 0xff], name: 'text in UTF-16 (big endian)' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: 'a ZIP archive or an Excel workbook' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], name: 'an old Excel workbook' },
  { bytes: [0x1f, 0x8b], name: 'a gzip archive' },
  { bytes: [0x25, 0x50, 0x44, 0x46], name: 'a PDF document' },
]

/** Describes the start of a file if it is a well-known format that is not UTF-8 text. */
export function describeForeignBytes(start: Uint8Array): string | undefined {
  const signature = signatures.find(({ bytes }) => bytes.every((byte, at) => start[at] === byte))
  return (
    signature &&
    `The file is ${signature.name}; NCSV is comma-separated text in UTF-8. Save it as CSV (UTF-8).`
  )
}
