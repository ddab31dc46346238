import { expect, test } from 'vitest'
import { draftsOf, emptyText, shareText, stepText } from './share-draft.ts'

const saved = draftsOf([
  {
    email: 'ben@example.com',
    access: 'R',
    source: 'share',
    sourceId: null,
    expirationDate: null,
    dataStart: null,
    dataEnd: null,
    sharedBy: null,
    sharedOn: null,
  },
])

test('an empty list of shares distinguishes a group without shares from an unsaved removal', () => {
  expect(emptyText([])).toBe('Not shared with anyone yet.')
  expect(emptyText(saved)).toBe('All shares are removed when you save.')
})

test('the dialog names its step and unsaved changes', () => {
  expect(stepText({ isAdding: false, hasChanges: false })).toBe('Step 1 of 2: users')
  expect(stepText({ isAdding: true, hasChanges: true })).toBe('Step 2 of 2: add users')
  expect(stepText({ isAdding: false, hasChanges: true })).toBe('Step 1 of 2: users, with unsaved changes')
})

test('the text of a share names its access, its data range and its end', () => {
  expect(shareText(saved[0]!)).toBe('Viewer')
  expect(shareText({ access: 'RWS', expiresOn: '2026-12-31', dataStart: null, dataEnd: null })).toBe(
    'Editor, until 2026-12-31',
  )
  expect(
    shareText({
      access: 'R',
      expiresOn: '',
      dataStart: '2026-03-01T00:00:00',
      dataEnd: '2026-04-01T00:00:00',
    }),
  ).toBe('Viewer, only data from 1 March 2026 to 31 March 2026 (UTC)')
})
