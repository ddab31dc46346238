import { useEffect, useRef, useState } from 'react'
import { useSettings, useUpdateSettings } from '@headwater/accounts/web'
import { isRecord } from '@headwater/contract'

/** Columns of a list of symbols, as stored in the settings of the user. */
export interface TableColumns {
  /** Ids of the visible columns, in order; undefined for the default. */
  shown?: string[] | undefined
  /** Widths in pixels, by id of the column. */
  widths: Record<string, number>
}

const saveAfterMs = 800
/** Maximum number of groups with stored columns; the oldest are dropped. */
const maxGroups = 100

/** Returns the columns of the list of a group, or of all groups. Changes are saved in the settings of the user after a short delay, or when the page is left. */
export function useTableColumns(groupName: string | undefined) {
  const settings = useSettings()
  const update = useUpdateSettings()
  const listKey = groupName ?? ''
  const [changed, setChanged] = useState<{ listKey: string; columns: TableColumns }>()
  const columns =
    changed?.listKey === listKey
      ? changed.columns
      : (storedColumns(settings?.columns)[listKey] ?? { widths: {} })
  const save = useRef(() => {})
  useEffect(() => {
    save.current = () => {
      if (changed === undefined) return
      save.current = () => {}
      void update({ columns: withColumns(settings?.columns, changed.listKey, changed.columns) })
    }
  }, [changed, settings?.columns, update])
  useEffect(() => {
    if (changed === undefined) return
    const timer = setTimeout(() => save.current(), saveAfterMs)
    return () => clearTimeout(timer)
  }, [changed])
  useEffect(() => {
    const saveNow = () => save.current()
    window.addEventListener('pagehide', saveNow)
    return () => {
      window.removeEventListener('pagehide', saveNow)
      saveNow()
    }
  }, [])
  return {
    columns,
    change: (change: Partial<TableColumns>) => setChanged({ listKey, columns: { ...columns, ...change } }),
  }
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function storedColumns(text: string | undefined): Record<string, TableColumns> {
  const symbols = parsed(text).symbols
  if (!isRecord(symbols)) return {}
  return Object.fromEntries(
    Object.entries(symbols as Record<string, Partial<TableColumns>>).map(([listKey, columns]) => [
      listKey,
      { ...(Array.isArray(columns.shown) ? { shown: columns.shown } : {}), widths: columns.widths ?? {} },
    ]),
  )
}

function withColumns(text: string | undefined, listKey: string, columns: TableColumns): string {
  const others = Object.entries(storedColumns(text)).filter(([name]) => name !== listKey)
  const symbols = Object.fromEntries([...others.slice(1 - maxGroups), [listKey, columns]])
  return JSON.stringify({ ...parsed(text), symbols })
}
