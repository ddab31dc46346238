import { expect, test } from 'vitest'
import { archivePaths } from './archive-names.ts'

const file = (name: string, groupName = 'Desk', version = 1) => ({ name, groupName, version })

test('files with the same name are in folders of their groups, and versions have their number', () => {
  expect(
    archivePaths([
      file('a.csv'),
      file('b.csv'),
      file('B.csv', 'Other'),
      file('c.csv', 'Desk', 1),
      file('c.csv', 'Desk', 2),
      file('plain'),
    ]),
  ).toEqual([
    'a.csv',
    'Desk/b.csv',
    'Other/B.csv',
    'Desk/c (version 1).csv',
    'Desk/c (version 2).csv',
    'plain',
  ])
})

test('a file with the name of a folder in the archive gets a number', () => {
  expect(archivePaths([file('a.csv'), file('a.csv', 'Other'), file('desk', 'Other')])).toEqual([
    'Desk/a.csv',
    'Other/a.csv',
    'desk (2)',
  ])
})

test('no two paths are equal, even if only their case differs', () => {
  const paths = archivePaths([file('a.csv', 'x/y'), file('A.csv', 'x_y'), file('a.csv', 'x:y', 1)])
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(3)
})

test('names cannot leave the folder into which the archive is unpacked, and are valid on every system', () => {
  expect(
    archivePaths([
      file('../../etc/passwd'),
      file('..'),
      file('C:\\x.txt'),
      file('NUL.txt'),
      file('a\u202Egpj.exe'),
      file('end. '),
    ]),
  ).toEqual(['__.._etc_passwd', '_', 'C__x.txt', '_NUL.txt', 'a_gpj.exe', 'end_'])
})
