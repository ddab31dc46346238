import { type FormEvent, useId, useRef, useState } from 'react'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Badge, Button, DateField, IconButton, NumberField, Select } from '@headwater/web-kit'
import { useInsightData, countedFrom, rangeKinds, rangeUnits, useChoosable } from '@headwater/tile-data/web'
import { editorStyles as editor, ParamReach } from '@headwater/tiles/web'
import type { ParamResult } from './check-set.ts'
import { ChoiceField } from './ChoiceField.tsx'
import {
  fieldsOf,
  isUnnamed,
  joinDates,
  splitDates,
  type ParamSet,
  type ChosenRange,
  type ParamValues,
  rangeField,
  sameValues,
} from '@headwater/tile-data/core'
import styles from './ParamsPanel.module.css'
import { useVisibleForm } from './visible-forms.ts'
import { useRerunHint } from './use-rerun-hint.ts'

/** The fields of a set for readers, and the button that applies them. */
export function ParamForm({
  set,
  applied,
  only,
  editing,
  busy,
  result,
  onApply,
}: {
  set: ParamSet
  applied: ParamValues
  /** Name of the only visible field, or `rangeField`; default all fields. */
  only?: string
  /** Whether an author uses the form in the builder. */
  editing: boolean
  busy: boolean
  result: ParamResult | undefined
  onApply: (chosen: ParamValues) => void
}) {
  const titleId = useId()
  const form = useRef<HTMLFormElement>(null)
  useVisibleForm(form)
  const { content, sets } = useInsightData()
  const [chosen, setChosen] = useState(applied)
  const choosable = useChoosable()
  const isOffered = (name: string) => only === undefined || name === only
  const fields = fieldsOf(set).filter((field) => choosable.field(field, set) && isOffered(field.name))
  const range = choosable.range && isOffered(rangeField) ? chosen.range : undefined
  const isChanged = !sameValues(chosen, applied)
  const backwards = isBackwards(chosen)
  const hint = useRerunHint()
  const isTitled = editing || !isUnnamed(set) || (only === undefined && sets.length > 1)
  const submitText = set.submitButtonText || 'Apply'
  const isRow = only !== undefined && range === undefined && fields.every(({ kind }) => kind !== 'dates')

  function choose(name: string, value: string) {
    const values = { ...chosen.values, [name]: value }
    if (set.isHierarchyEnabled) {
      // choices in later fields belonged to the previous choice
      const at = fields.findIndex((field) => field.name === name)
      for (const later of fields.slice(at + 1)) if (later.kind !== 'dates') values[later.name] = ''
    }
    setChosen({ ...chosen, values })
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (backwards) return
    // Readers who have applied values no longer need the hint.
    if (isChanged) hint.close()
    onApply(chosen)
  }
  return (
    <form
      ref={form}
      className={styles.set}
      aria-labelledby={titleId}
      data-error={result?.hasError || undefined}
      data-symbols={result?.symbolCount}
      data-only={only !== undefined || undefined}
      data-row={isRow || undefined}
      onSubmit={submit}
    >
      <div className={styles.head}>
        <h3 id={titleId} className={isTitled ? undefined : 'visually-hidden'}>
          {set.title || set.id}
        </h3>
        {set.isHidden ? <Badge icon={<IconEyeOff size={12} stroke={1.6} />}>Hidden</Badge> : null}
      </div>
      {set.description === '' ? null : <p className={styles.description}>{set.description}</p>}
      {fields.map((field) =>
        field.kind === 'dates' ? (
          <Dates
            key={field.name}
            label={field.label}
            value={splitDates(chosen.values[field.name] ?? '')}
            onChange={(dates) => choose(field.name, joinDates(dates))}
          />
        ) : (
          <div key={`${field.kind} ${field.name}`} className={styles.field}>
            <ChoiceField
              set={set}
              field={field}
              chosen={chosen.values}
              onChange={(value) => choose(field.name, value)}
            />
          </div>
        ),
      )}
      {range === undefined ? null : (
        <RangeChoice range={range} onChange={(next) => setChosen({ ...chosen, range: next })} />
      )}
      {fields.length === 0 && range === undefined ? (
        <p className={editor.quiet}>This set has no fields.</p>
      ) : (
        <ParamReach
          set={set}
          tiles={content.tiles.filter(({ hidden }) => hidden !== true)}
          only={only}
          withProblems={editing}
        />
      )}
      {result?.hasError ? (
        <p className={styles.problem} role="alert">
          {result.message}
        </p>
      ) : null}
      <div className={styles.submit}>
        <Button type="submit" variant="primary" busy={busy} disabled={backwards}>
          {submitText}
        </Button>
        {isChanged && !hint.isVisible ? <span className={styles.pending}>Changes not applied</span> : null}
      </div>
      {isChanged && hint.isVisible ? (
        <div className={styles.hint} role="status">
          <p>Changes not applied. Select “{submitText}” to update the tiles.</p>
          <IconButton
            label="Don't show this hint again"
            icon={<IconX size={14} stroke={1.6} />}
            onClick={() => {
              hint.close()
              form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
            }}
          />
        </div>
      ) : null}
    </form>
  )
}

function isBackwards({ values, range }: ParamValues): boolean {
  const all = Object.values(values).map(splitDates)
  if (range?.range === 'BETWEEN') all.push(range)
  return all.some(({ from, to }) => /^\d{4}-/.test(from) && /^\d{4}-/.test(to) && from > to)
}

function Dates({
  label,
  value: { from, to },
  onChange,
}: {
  label: string
  value: { from: string; to: string }
  onChange: (value: { from: string; to: string }) => void
}) {
  const problem =
    from !== '' && to !== '' && from > to ? '“To” is before “From”. Choose a later date.' : undefined
  return (
    <div className={editor.pair}>
      <DateField label={`${label}, from`} value={from} onChange={(next) => onChange({ from: next, to })} />
      <DateField
        label={`${label}, to`}
        value={to}
        error={problem}
        onChange={(next) => onChange({ from, to: next })}
      />
    </div>
  )
}

/** The requested time range of the series. */
export function RangeChoice({
  range,
  onChange,
}: {
  range: ChosenRange
  onChange: (range: ChosenRange) => void
}) {
  return (
    <>
      <Select
        label="Range"
        value={range.range}
        options={rangeKinds}
        hint={countedFrom(range.range)}
        onChange={(kind) => onChange({ ...range, range: (kind ?? 'LAST') as ChosenRange['range'] })}
      />
      {range.range === 'LAST' ? (
        <div className={editor.pair}>
          <NumberField
            label="Amount"
            value={range.lastTypeAmount}
            min={1}
            onChange={(amount) =>
              onChange({ ...range, lastTypeAmount: Math.max(1, Math.round(amount ?? 500)) })
            }
          />
          <Select
            label="Unit"
            value={range.lastType}
            options={rangeUnits}
            onChange={(lastType) => onChange({ ...range, lastType: lastType ?? 'VALUES' })}
          />
        </div>
      ) : null}
      {range.range === 'BETWEEN' ? (
        <Dates label="Dates" value={range} onChange={(dates) => onChange({ ...range, ...dates })} />
      ) : null}
    </>
  )
}
