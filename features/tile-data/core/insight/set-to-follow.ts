import type { InsightContent, Tile } from '../../contract/index.ts'
import { dataPrepOf } from './tile-query.ts'
import { tileSourceOf } from '../sources/tile-source.ts'
import { symbolMapsIn, takesKey } from '../params/bind-tile.ts'
import { anyValue, fieldsOf, paramSetsOf, type ParamSet } from '../params/param-set.ts'

/** The symbols and patterns of a tile's own series. */
function entriesOf(tile: Tile, content: Pick<InsightContent, 'datapreps'>) {
  return [
    ...dataPrepOf(content, tile.id).symbols,
    ...symbolMapsIn(tile).map((symbols) => ({ symbols, pattern: false })),
  ]
}

/**
 * Returns the id of the set that a tile follows automatically when it gets its first series; undefined if an author has to choose. It is
 * the only set whose fields occur in the series, the series have one value for each field, and the set does not change the tile until a
 * reader chooses a value.
 * @param before the definition without these series
 */
export function setToFollow(id: string, content: InsightContent, before: InsightContent): string | undefined {
  const tile = content.tiles.find((each) => each.id === id)
  if (tile === undefined || tile.sourceInputParamsId !== undefined) return undefined
  if (tileSourceOf(tile, dataPrepOf(content, id)).kind !== 'series') return undefined
  const earlier = before.tiles.find((each) => each.id === id)
  if (earlier !== undefined && entriesOf(earlier, before).length > 0) return undefined
  const entries = entriesOf(tile, content)
  const [set, ...others] = paramSetsOf(content).filter((each) => suits(each, entries))
  return others.length > 0 ? undefined : set?.id
}

function suits(set: ParamSet, entries: ReturnType<typeof entriesOf>): boolean {
  if (set.isHidden || set.basicInputParamsType !== 'TS' || set.filters.length > 0) return false
  let followed = 0
  for (const { name, kind, initial } of fieldsOf(set)) {
    if (kind === 'metadata') {
      if (initial !== '' && initial !== anyValue.value) return false
      continue
    }
    const having = entries.filter((entry) => takesKey(entry, name))
    if (having.length === 0) continue
    const values = new Set(having.map(({ symbols }) => valueOf(symbols, name)))
    const [value] = values
    if (values.size !== 1 || value === undefined || (initial !== '' && initial !== value)) return false
    followed += 1
  }
  return followed > 0
}

function valueOf(symbols: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(symbols).find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1]
}
