import { describe, expect, test } from 'vitest'
import { emptyContent, isWorkflow } from '@headwater/tile-data/contract'
import { upgradeContent } from '../../contract/index.ts'
import { newDraft, reduceDraft } from '../builder/draft.ts'
import {
  copiedFooterButton,
  footerButtonNames,
  footerButtonsOf,
  isComplete,
  newFooterButton,
  pathOfLink,
  withFooterButtons,
} from '../footer/footer-button.ts'
import { copiedHeaderBox, headerBoxesOf, newHeaderBox } from '@headwater/tile-data/core'

describe('summary boxes', () => {
  test('IN-263 new boxes are titled Summary N, with the first free number', () => {
    const first = newHeaderBox('a', [])
    const second = newHeaderBox('b', [first])
    expect([first.title, second.title]).toEqual(['Summary 1', 'Summary 2'])
    expect(newHeaderBox('c', [second]).title).toBe('Summary 3')
    expect(copiedHeaderBox({ ...first, text: 'x' }, 'd', [first, second])).toMatchObject({
      id: 'd',
      title: 'Summary 3',
      text: 'x',
    })
  })

  test('damaged boxes are omitted, unknown fields are preserved', () => {
    expect(
      headerBoxesOf({ headerBoxes: [null, 7, { title: 'x' }, { id: 'a', content: 'PIE', own: 1 }] }),
    ).toEqual([{ id: 'a', title: '', content: 'TEXT', text: '', own: 1 }])
    expect(headerBoxesOf({ headerBoxes: 'x' as never })).toEqual([])
  })

  test('IN-057 boxes and buttons of old definitions without an id get one', () => {
    let next = 0
    const old = {
      tiles: [],
      headerBoxes: [{ title: 'x' }, { id: 'a' }, { id: 'a' }],
      footer: [{ text: 'go' }],
    }
    const upgraded = upgradeContent(old, () => `id${++next}`)
    expect(headerBoxesOf(upgraded).map(({ id }) => id)).toEqual(['id1', 'a', 'id2'])
    expect(footerButtonsOf(upgraded)).toMatchObject([{ id: 'id3', text: 'go' }])
    expect(upgradeContent(upgraded, () => 'never')).toEqual(upgraded)
  })
})

describe('footer buttons', () => {
  test('IN-264 IN-265 IN-266 the first button has the text Show results, each other one ButtonN', () => {
    const first = newFooterButton('a', [])
    const second = newFooterButton('b', [first])
    expect(first).toMatchObject({ type: 'SHOW_RESULTS', text: 'Show results' })
    expect(second.text).toBe('Button2')
    expect(copiedFooterButton(second, 'c', [first, second])).toMatchObject({ id: 'c', text: 'Button3' })
    expect(withFooterButtons(emptyContent(), [first, second])).toMatchObject({
      footer: {
        buttons: [
          { text: 'Show results', type: 'SHOW_RESULTS' },
          { text: 'Button2', type: 'SCROLL_TO_TILE' },
        ],
      },
    })
  })

  test('IN-014 a button that downloads a data prep makes the insight a workflow', () => {
    const button = { ...newFooterButton('a', []), type: 'DOWNLOAD_DATA_PREP' }
    expect(isWorkflow({ ...emptyContent(), ...withFooterButtons(emptyContent(), [button]) })).toBe(true)
  })

  test('IN-266 there are four button types, recognised in any spelling; an unknown type is preserved', () => {
    expect(footerButtonNames).toEqual({
      SHOW_RESULTS: 'Show results',
      DOWNLOAD_DATA_PREP: 'Download data prep',
      OPEN_LINK: 'Open a page',
      SCROLL_TO_TILE: 'Scroll to a tile',
    })
    const read = (type: unknown) => footerButtonsOf({ footer: { buttons: [{ id: 'a', type }] } })[0]!.type
    expect(['download data prep', 'Open-Link', 'FLY', 7].map(read)).toEqual([
      'DOWNLOAD_DATA_PREP',
      'OPEN_LINK',
      'FLY',
      '',
    ])
  })

  test('a link leads only to pages of this application', () => {
    const at = (link: string) => pathOfLink(link, 'https://data.example')
    expect(at('/Lake?query=a#Files')).toBe('/Lake?query=a#Files')
    expect(at('https://data.example/Lake')).toBe('/Lake')
    for (const link of [
      '',
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      'data:,x',
    ])
      expect([link, at(link)]).toEqual([link, undefined])
  })

  test('a button with incomplete settings does nothing', () => {
    const button = newFooterButton('a', [])
    const complete = (more: object) => isComplete({ ...button, ...more }, 'https://data.example')
    expect(complete({})).toBe(true)
    expect(complete({ type: 'SCROLL_TO_TILE' })).toBe(false)
    expect(complete({ type: 'SCROLL_TO_TILE', tileId: 't' })).toBe(true)
    expect(complete({ type: 'DOWNLOAD_DATA_PREP', dataPrep: { groupName: 'G', name: '' } })).toBe(false)
    expect(complete({ type: 'OPEN_LINK', link: 'https://evil.example' })).toBe(false)
    expect(complete({ type: 'FLY' })).toBe(false)
  })
})

test('a change of boxes can be undone, and a selected box stays selected', () => {
  const box = newHeaderBox('a', [])
  let draft = newDraft(emptyContent())
  draft = reduceDraft(draft, { type: 'setContent', fields: { headerBoxes: [box] } })
  draft = reduceDraft(draft, { type: 'select', id: 'a' })
  draft = reduceDraft(draft, {
    type: 'setContent',
    fields: { headerBoxes: [{ ...box, title: 'x' }] },
    topic: 't',
  })
  draft = reduceDraft(draft, { type: 'undo' })
  expect([headerBoxesOf(draft.content)[0]!.title, draft.selectedId]).toEqual(['Summary 1', 'a'])
  draft = reduceDraft(draft, { type: 'undo' })
  expect([headerBoxesOf(draft.content), draft.selectedId]).toEqual([[], undefined])
})
