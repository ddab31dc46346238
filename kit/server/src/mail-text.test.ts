import { expect, test } from 'vitest'
import { linkParagraph, oneLine } from './mail-text.ts'

test('subject texts contain no line breaks', () => {
  expect(oneLine(' Daily\r\nBcc: x@example.com ')).toBe('Daily Bcc: x@example.com')
})

test('links start with the URL of the installation; without one, the e-mail contains the path', () => {
  expect(linkParagraph('https://lake.example.com/', '/Lake/Groups/A', 'Open it:')).toBe(
    'Open it:\nhttps://lake.example.com/Lake/Groups/A',
  )
  expect(linkParagraph(undefined, '/Lake/Groups/A', 'Open it:')).toBe(
    'Open Headwater and add this path to its address:\n/Lake/Groups/A',
  )
})
