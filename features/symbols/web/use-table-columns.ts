import { useEffect, useRef, useState } from 'react'
import { useSettings, useUpdateSettings } from '@headwater/accounts/web'

/** How a user has the columns of a list of symbols. */
export interface TableColumns {
  /** Ids of the columns shown, in their order; undefined = as they come. */
  shown?: string[] | undefined
  /** Widths in pixels, by id of the column. */
  widths: Record<string, number>
}

const saveAfterMs = 800
/** Most groups whose columns are remembered; those changed longest ago are forgotten. */
const maxGroups = 100

/** The columns of the list of one group, or of all; kept in the settings of the user a moment after each change. */
export function useTableColumns(groupName: string | undefined) {
  const settings = useSettings()
  const update = useUpdateSettings()
  const place = groupName ?? ''
  const [changed, setChanged] = useState<{ place: string; columns: TableColumns }>()
  const columns =
    changed?.place === place ? changed.columns : (storedColumns(settings?.columns)[place] ?? { widths: {} })
  const save = useRef(() => {})
  useEffect(() => {
    save.current = () => {
      if (changed === undefined) return
      save.current = () => {}
      void update({ columns: withColumns(settings?.columns, changed.place, changed.columns) })
    }
  }, [changed, settings?.columns, update])
  useEffect(() => {
    if (changed === undefined) return
    const timer = setTimeout(() => save.current(), saveAfterMs)
    return () => clearTimeout(timer)
  }, [changed])
  useEffect(() => () => save.current(), [])
  return {
    columns,
    change: (change: Partial<TableColumns>) => setChanged({ place, columns: { ...columns, ...change } }),
  }
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function storedColumns(text: string | undefined): Record<string, TableColumns> {
  const symbols = parsed(text).symbols
  if (typeof symbols !== 'object' || symbols === null || Array.isArray(symbols)) return {}
  return Object.fromEntries(
    Object.entries(symbols as Record<string, Partial<TableColumns>>).map(([place, columns]) => [
      place,
      { ...(Array.isArray(columns.shown) ? { shown: columns.shown } : {}), widths: columns.widths ?? {} },
    ]),
  )
}

function withColumns(text: string | undefined, place: string, columns: TableColumns): string {
  const others = Object.entries(storedColumns(text)).filter(([name]) => name !== place)
  const symbols = Object.fromEntries([...others.slice(1 - maxGroups), [place, columns]])
  return JSON.stringify({ ...parsed(text), symbols })
}
