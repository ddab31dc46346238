import { useState } from 'react'
import { Chip, Popover } from '@headwater/web-kit'
import { type AppliedSet, placeholderValues, fieldsOf, rangeField } from '@headwater/tile-data/core'
import { useHasPageRange, useInsightData, describeRange, useChoosable } from '@headwater/tile-data/web'
import { capitalised, PageRangeChip, pageRangeLabel } from './PageRangeChip.tsx'
import styles from './ParamChips.module.css'
import { ParamForm } from './ParamForm.tsx'
import { useApply } from './use-apply.ts'

/**
 * Shows the visible parameters as chips. Each chip shows a field with its value and opens the field for editing. The
 * last chip sets the range of the page, if tiles follow it.
 */
export default function ParamChips() {
  const { sets } = useInsightData()
  const choosable = useChoosable()
  const { apply, busyId, results } = useApply()
  const [openId, setOpenId] = useState<string>()
  const visible = sets.filter(({ set }) => !set.isHidden)
  const chips = visible.flatMap((applied) =>
    chipsOf(applied, choosable).map((chip) => ({ ...chip, applied, id: `${applied.set.id} ${chip.field}` })),
  )
  const hasPageRange = useHasPageRange() && choosable.range
  if (chips.length === 0 && !hasPageRange) return null
  return (
    <ul className={styles.chips} aria-label="Parameters">
      {chips.map(({ id, field, label: own, value, applied: { set, chosen } }) => {
        const isShared =
          chips.some((other) => other.label === own && other.id !== id) ||
          (hasPageRange && own === pageRangeLabel)
        const label = isShared ? `${set.title || set.id}: ${own}` : own
        return (
          <li key={id}>
            <Popover
              label={label}
              open={openId === id}
              onClose={() => setOpenId(undefined)}
              width={300}
              trigger={
                <Chip
                  label={label}
                  value={value}
                  expanded={openId === id}
                  onClick={() => setOpenId(openId === id ? undefined : id)}
                />
              }
            >
              <ParamForm
                set={set}
                applied={chosen}
                editing={false}
                // In a hierarchy, a choice narrows the fields after it, so the form shows all fields.
                {...(set.isHierarchyEnabled ? {} : { only: field })}
                busy={busyId === set.id}
                result={results.get(set.id)}
                onApply={(values) =>
                  void apply(set, values).then((applied) => {
                    if (applied) setOpenId(undefined)
                  })
                }
              />
            </Popover>
          </li>
        )
      })}
      {hasPageRange ? (
        <li>
          <PageRangeChip />
        </li>
      ) : null}
    </ul>
  )
}

function chipsOf(
  { set, chosen }: AppliedSet,
  choosable: ReturnType<typeof useChoosable>,
): { field: string; label: string; value: string }[] {
  const texts = placeholderValues([{ set, chosen }])
  const fields = fieldsOf(set)
    .filter((field) => choosable.field(field, set))
    .map(({ name, label }) => ({ field: name, label, value: texts.get(label)! }))
  const range = choosable.range ? chosen.range : undefined
  return range === undefined
    ? fields
    : [...fields, { field: rangeField, label: 'Range', value: capitalised(describeRange(range)) }]
}
