import { expect, test } from 'vitest'
import { uploadedPicture } from '../tiles/image/uploaded-picture.ts'
import { uploadedPdf } from '../tiles/pdf/pdf-tile.ts'
import { uploadProblem } from './upload-kind.ts'

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)
const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name)

test('DP-152 IN-110 accepts PNG and JPEG regardless of case, and rejects other images by name and content', async () => {
  for (const picture of [file('a.png', png), file('b.JPG', jpeg), file('c.v2.jpeg', jpeg)])
    expect(await uploadProblem([picture], uploadedPicture)).toBeUndefined()
  expect(await uploadProblem([file('moving.gif', 'GIF89a')], uploadedPicture)).toBe(
    'moving.gif is not a PNG or JPEG image. Choose a file that ends in .png, .jpg or .jpeg.',
  )
  expect(await uploadProblem([file('moving.png', 'GIF89a')], uploadedPicture)).toBe(
    'moving.png is not a PNG or JPEG image, despite its name. Choose another file.',
  )
  expect(await uploadProblem([file('png', png)], uploadedPicture)).toMatch(/ends in \.png/)
  expect(await uploadProblem([file('empty.png', '')], uploadedPicture)).toMatch(/despite its name/)
})

test('DP-153 IN-110 accepts one image and rejects two at once', async () => {
  expect(await uploadProblem([file('a.png', png)], uploadedPicture)).toBeUndefined()
  const problem = await uploadProblem([file('a.png', png), file('b.png', png)], uploadedPicture)
  expect(problem).toBe('The tile shows one PNG or JPEG image. Choose one file.')
})

test('does not upload an image that the tile could not display', async () => {
  const small = { ...uploadedPicture, limitBytes: 1_000_000 }
  const padded = new Uint8Array(1_200_000)
  padded.set(png)
  expect(await uploadProblem([file('a.png', padded)], small)).toBe(
    'a.png is 1.20 MB. A tile shows files of at most 1.00 MB. Choose a smaller file.',
  )
})

test('rejects a folder, which has a name but cannot be read', async () => {
  const folder = { ...uploadedPicture, matches: () => Promise.reject(new Error('NotFoundError')) }
  expect(await uploadProblem([file('album.png', '')], folder)).toBe(
    'album.png could not be read. It may have been moved. Choose it again.',
  )
})

test('a PDF needs the extension .pdf and PDF content', async () => {
  expect(await uploadProblem([file('report.pdf', '%PDF-1.7\n')], uploadedPdf)).toBeUndefined()
  expect(await uploadProblem([file('report.txt', '%PDF-1.7\n')], uploadedPdf)).toBe(
    'report.txt is not a PDF. Choose a file that ends in .pdf.',
  )
  expect(await uploadProblem([file('report.pdf', 'Dear all')], uploadedPdf)).toMatch(/not a PDF, despite/)
})
