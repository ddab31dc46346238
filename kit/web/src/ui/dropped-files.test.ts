import { expect, test } from 'vitest'
import { DropError, maxDroppedFiles, readDrop } from './dropped-files.ts'

type Tree = { [name: string]: Tree | string }

/** Entries as browsers provide them: a folder returns at most two entries at a time. */
function entryOf(name: string, content: Tree | string): FileSystemEntry {
  if (typeof content === 'string')
    return {
      name,
      isDirectory: false,
      file: (resolve: (file: File) => void) => resolve(new File([content], name)),
    } as never
  return {
    name,
    isDirectory: true,
    createReader() {
      const rest = Object.entries(content).map(([child, value]) => entryOf(child, value))
      return { readEntries: (resolve: (entries: FileSystemEntry[]) => void) => resolve(rest.splice(0, 2)) }
    },
  } as never
}

function drop(tree: Tree) {
  const items = Object.entries(tree).map(([name, content]) => ({
    webkitGetAsEntry: () => entryOf(name, content),
  }))
  return readDrop({ items, files: [new File(['as it is'], 'plain.csv')] } as never)
}

test('a drop without folders returns its files', async () => {
  const [file] = await drop({ 'plain.csv': 'x' })
  expect([file!.name, await file!.text()]).toEqual(['plain.csv', 'as it is'])
})

test('a dropped folder has the files of all its subfolders; those with the same name get the names of their folders', async () => {
  const files = await drop({
    Prices: {
      '2025': { 'prices.csv': 'a' },
      '2026': { 'prices.csv': 'b', 'c.csv': 'c' },
      'd.csv': 'd',
      'e.csv': 'e',
    },
    'f.csv': 'f',
  })
  expect(await Promise.all(files.map(async (file) => [file.name, await file.text()]))).toEqual([
    ['Prices - 2025 - prices.csv', 'a'],
    ['c.csv', 'c'],
    ['Prices - 2026 - prices.csv', 'b'],
    ['d.csv', 'd'],
    ['e.csv', 'e'],
    ['f.csv', 'f'],
  ])
})

test('a folder without files, and one with too many, are rejected', async () => {
  await expect(drop({ Empty: { Inner: {} } })).rejects.toThrow(new DropError('The folder has no files.'))
  const names = Array.from({ length: maxDroppedFiles + 1 }, (_, index) => [`${index}.csv`, ''])
  await expect(drop({ Large: Object.fromEntries(names) as Tree })).rejects.toThrow(
    new DropError('The folder has more than 1,000 files. Drop its files in smaller batches.'),
  )
})
