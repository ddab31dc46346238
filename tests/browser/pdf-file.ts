import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

/** Padding of passwords, defined by the format. */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
/** The permissions of a protected file: all are granted. */
const permissions = -4

/**
 * Creates a PDF file of A4 pages, each with one line of text; an empty text results in an empty page.
 * @param password password to open it; absent for an unprotected file
 * @param script JavaScript that the file wants to run when it is opened
 */
export function makePdf(
  texts: readonly string[],
  { password, script }: { password?: string; script?: string } = {},
) {
  const id = Buffer.from('0123456789abcdef')
  const lock = password === undefined ? undefined : lockOf(password, id)
  const objects: Buffer[] = []
  const add = (body: string | Buffer) => objects.push(Buffer.from(body))
  const pageIds = texts.map((_, index) => 4 + index * 2)
  const action = script === undefined ? '' : `/OpenAction << /S /JavaScript /JS (${script}) >>`
  add(`<< /Type /Catalog /Pages 2 0 R ${action} >>`)
  add(
    `<< /Type /Pages /Count ${texts.length} /Kids [${pageIds.map((pageId) => `${pageId} 0 R`).join(' ')}] >>`,
  )
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [index, text] of texts.entries()) {
    const contentId = pageIds[index]! + 1
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contentId} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
    )
    const drawing = Buffer.from(text === '' ? '' : `BT /F1 24 Tf 60 760 Td (${text}) Tj ET`)
    const content = lock === undefined ? drawing : rc4(objectKey(lock.key, contentId), drawing)
    add(
      Buffer.concat([
        Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    )
  }
  if (lock !== undefined)
    add(
      `<< /Filter /Standard /V 1 /R 2 /P ${permissions} /O <${lock.owner.toString('hex')}> /U <${lock.user.toString('hex')}> >>`,
    )
  const protection = lock === undefined ? '' : `/Encrypt ${objects.length} 0 R`
  return write(objects, `/Root 1 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>] ${protection}`)
}

function write(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  const locations: number[] = []
  let length = parts[0]!.length
  for (const [index, body] of objects.entries()) {
    locations.push(length)
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
  }
  const rows = locations.map((location) => `${String(location).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}` +
        `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** The key of a file with a user password, by the standard security handler, revision 2. */
function lockOf(password: string, id: Buffer) {
  const padded = Buffer.concat([Buffer.from(password), padding]).subarray(0, 32)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const rights = Buffer.alloc(4)
  rights.writeInt32LE(permissions)
  const key = md5(Buffer.concat([padded, owner, rights, id])).subarray(0, 5)
  return { key, owner, user: rc4(key, padding) }
}

function objectKey(key: Buffer, objectId: number): Buffer {
  const number = Buffer.alloc(5)
  number.writeUIntLE(objectId, 0, 3)
  return md5(Buffer.concat([key, number])).subarray(0, 10)
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest()
}

/** The cipher of old PDF files, which runtimes no longer offer. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index)
  const swap = (a: number, b: number) => {
    const stored = state[a]!
    state[a] = state[b]!
    state[b] = stored
  }
  for (let at = 0, other = 0; at < 256; at += 1) {
    other = (other + state[at]! + key[at % key.length]!) % 256
    swap(at, other)
  }
  let other = 0
  return Buffer.from(
    bytes.map((byte, index) => {
      const at = (index + 1) % 256
      other = (other + state[at]!) % 256
      swap(at, other)
      return byte ^ state[(state[at]! + state[other]!) % 256]!
    }),
  )
}
