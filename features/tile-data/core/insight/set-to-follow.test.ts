import { expect, test } from 'vitest'
import { emptyContent, type InsightContent, type Tile } from '../../contract/index.ts'
import { setToFollow } from './set-to-follow.ts'

const tile = (more: object = {}): Tile => ({ id: 't', title: 'T', type: 'Table', ...more })
const ofMetal = { keys: [{ symbolKey: 'Metal' }] }
const series = (Metal: string, more: object = {}) => ({ groupName: 'Metals', symbols: { Metal }, ...more })

function insight(inputParams: object, symbols: object[], more: object = {}): InsightContent {
  return {
    ...emptyContent(),
    tiles: [tile(more)],
    datapreps: { t: { symbols } },
    inputParams: { ...inputParams },
  }
}
/** Returns the set that a tile follows when it gets these series. */
function followed(inputParams: object, symbols: object[], more: object = {}, earlier: object[] = []) {
  return setToFollow('t', insight(inputParams, symbols, more), insight(inputParams, earlier, more))
}

test('a tile follows the only set with a key of its first series, regardless of case', () => {
  expect(followed({ p1: ofMetal }, [series('Copper')])).toBe('p1')
  expect(followed({ p1: { keys: [{ symbolKey: 'metal' }] } }, [series('Copper')])).toBe('p1')
  expect(followed({ p1: ofMetal, p2: { keys: [{ symbolKey: 'Code' }] } }, [series('Copper')])).toBe('p1')
  const chart = { type: 'Chart', series: [{ groupName: 'Metals', symbolList: [{ Metal: 'Copper' }] }] }
  expect(followed({ p1: ofMetal }, [series('Copper')], chart, [])).toBeUndefined()
  const added = insight({ p1: ofMetal }, [series('Copper')], chart)
  expect(setToFollow('t', added, { ...emptyContent() })).toBe('p1')
})

test('a tile does not follow a set if several sets match or if its series lack a key of the set', () => {
  expect(followed({ p1: ofMetal, p2: ofMetal }, [series('Copper')])).toBeUndefined()
  expect(followed({ p1: { keys: [{ symbolKey: 'Code' }] } }, [series('Copper')])).toBeUndefined()
  expect(followed({ p1: { ...ofMetal, isHidden: true } }, [series('Copper')])).toBeUndefined()
  expect(followed({}, [series('Copper')])).toBeUndefined()
})

test('a tile is not bound automatically if it compares values or if the set would change it', () => {
  expect(followed({ p1: ofMetal }, [series('Copper'), series('Nickel')])).toBeUndefined()
  const withDefault = (defaultValue: string) => ({ p1: { keys: [{ symbolKey: 'Metal', defaultValue }] } })
  expect(followed(withDefault('Nickel'), [series('Copper')])).toBeUndefined()
  expect(followed(withDefault('Copper'), [series('Copper')])).toBe('p1')
  const filters = [{ name: 'Close', operator: 'GREATER', value: '1' }]
  expect(followed({ p1: { ...ofMetal, filters } }, [series('Copper')])).toBeUndefined()
  const unit = { symbolKey: 'Unit', symbolType: 'METADATA', defaultValue: 't' }
  expect(followed({ p1: { keys: [...ofMetal.keys, unit] } }, [series('Copper')])).toBeUndefined()
})

test('a tile that had series, is already bound or takes its rows from another source keeps its settings', () => {
  expect(followed({ p1: ofMetal }, [series('Copper')], {}, [series('Nickel')])).toBeUndefined()
  expect(followed({ p1: ofMetal }, [series('Copper')], { sourceInputParamsId: 'gone' })).toBeUndefined()
  const ofBasket = { source: { type: 'DATA_PREP', value: 'BASKET' } }
  expect(followed({ p1: ofMetal }, [series('Copper')], ofBasket)).toBeUndefined()
})
