import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { InsightContent } from '@headwater/tile-data/contract'
import { useInsightData } from '@headwater/tile-data/web'
import { AddButton, editorStyles as editor, FoldedItem, ListTools } from '@headwater/tiles/web'
import { inOrder, newParamSet, paramKey, paramSetsOf, type ParamSet } from '@headwater/tile-data/core'
import { ParamSetFields } from './ParamSetFields.tsx'
import { keysOfTiles, symbolKeysQuery, useFirstGroup } from './symbol-keys.ts'

type Stored = Record<string, unknown>

/** The editor of parameter sets: add, duplicate, reorder, change, remove. */
export function ParamSetsEditor({
  stored,
  onChange,
  onTiles,
}: {
  /** Stored sets by id. */
  stored: Stored
  onChange: (inputParams: Stored, topic?: string) => void
  onTiles: (tiles: InsightContent['tiles']) => void
}) {
  const client = useQueryClient()
  const firstGroup = useFirstGroup()
  const { content } = useInsightData()
  const [openId, setOpenId] = useState<string>()
  const sets = paramSetsOf({ inputParams: stored })
  const titles = sets.map(({ title }) => title)
  const ids = sets.map(({ id }) => id)
  const latest = useRef(stored)
  useEffect(() => {
    latest.current = stored
  })
  const isAdding = useRef(false)

  async function add() {
    if (isAdding.current) return
    isAdding.current = true
    const keys = firstGroup === '' ? [] : await usedKeys(firstGroup)
    isAdding.current = false
    // The user can change other sets while the keys load.
    const now = latest.current
    const others = paramSetsOf({ inputParams: now })
    const { id, ...set } = newParamSet(
      now,
      others.map(({ title }) => title),
    )
    onChange(
      inOrder({ ...now, [id]: { ...set, groupName: firstGroup, keys } }, [
        ...others.map((other) => other.id),
        id,
      ]),
    )
    setOpenId(id)
  }
  /** Returns fields for the keys of a group that the tiles use. */
  async function usedKeys(groupName: string) {
    const offered = await client.ensureQueryData(symbolKeysQuery(groupName)).catch(() => undefined)
    return keysOfTiles(content, offered?.items ?? []).map((fields) => paramKey.parse(fields))
  }
  function duplicate(original: ParamSet) {
    const { id, title } = newParamSet(stored, titles)
    const copy = { ...structuredClone(stored[original.id] as object), id: undefined, title }
    onChange(inOrder({ ...stored, [id]: copy }, ids.toSpliced(ids.indexOf(original.id) + 1, 0, id)))
    setOpenId(id)
  }
  return (
    <div className={editor.fields}>
      {sets.length === 0 ? (
        <p className={editor.quiet}>
          Parameters let readers choose what tiles show. Add parameters, then apply them to tiles.
        </p>
      ) : null}
      {sets.map((set, index) => {
        const isOpen = set.id === openId
        const name = set.title || set.id
        const change = (fields: Partial<ParamSet>) =>
          onChange(
            { ...stored, [set.id]: { ...(stored[set.id] as object), ...fields } },
            `params ${set.id} ${Object.keys(fields).join()}`,
          )
        return (
          <FoldedItem
            key={set.id}
            name={name}
            note={set.isHidden ? 'hidden' : ''}
            open={isOpen}
            onToggle={() => setOpenId(isOpen ? undefined : set.id)}
          >
            <ParamSetFields set={set} onChange={change} onTiles={onTiles} />
            <div className={editor.tools}>
              <ListTools
                list={ids}
                index={index}
                labels={{
                  up: `Move ${name} up`,
                  down: `Move ${name} down`,
                  duplicate: `Duplicate ${name}`,
                  remove: `Remove ${name}`,
                }}
                onChange={(next) => onChange(inOrder(stored, next))}
                onDuplicate={() => duplicate(set)}
                onRemove={() =>
                  onChange(Object.fromEntries(Object.entries(stored).filter(([id]) => id !== set.id)))
                }
              />
            </div>
          </FoldedItem>
        )
      })}
      <AddButton onClick={() => void add()}>Add parameters</AddButton>
    </div>
  )
}
