import { type FormEvent, useState } from 'react'
import { Button, Chip, DateField, Popover } from '@headwater/web-kit'
import {
  appliedHeading,
  customRangeText,
  pageRangePresets,
  noValueLabel,
  tileRange,
} from '@headwater/tile-data/core'
import { boxesKeepRange, hasRangedBoxes } from './ranged-boxes.ts'
import { type InsightData, useInsightData, describePageRange, describeRange } from '@headwater/tile-data/web'
import { editorStyles as editor, editorStyles as reach } from '@headwater/tiles/web'
import styles from './PageRangeChip.module.css'
import { useApplyRange } from './use-apply-range.ts'

/** Label of the range of the page. */
export const pageRangeLabel = 'Range'

/** Capitalises the first letter of a text. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * A chip with the range of the page. It opens presets, two date fields, and a button that resets to the ranges of the tiles.
 */
export function PageRangeChip() {
  const insight = useInsightData()
  const { pageRange } = insight
  const apply = useApplyRange()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  function choose(text: string | undefined) {
    apply(text)
    close()
  }
  const notes = isOpen ? notesOf(insight) : []
  const isPreset = pageRangePresets.some(({ text }) => text === pageRange?.text)
  return (
    <Popover
      label={pageRangeLabel}
      open={isOpen}
      onClose={close}
      width={360}
      trigger={
        <Chip
          label={pageRangeLabel}
          value={pageRange === undefined ? noValueLabel : capitalised(describePageRange(pageRange))}
          expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      }
    >
      <div className={styles.panel}>
        <ul className={styles.presets} aria-label="Ranges">
          <Preset label={noValueLabel} current={pageRange === undefined} onChoose={() => choose(undefined)} />
          {pageRangePresets.map(({ text, label }) => (
            <Preset
              key={text}
              label={label}
              current={text === pageRange?.text}
              onChoose={() => choose(text)}
            />
          ))}
        </ul>
        <p className={reach.reach}>“Last” counts back from the newest value, not from today.</p>
        <CustomRange
          key={pageRange?.text}
          initial={!isPreset && pageRange?.chosen.range === 'BETWEEN' ? pageRange.chosen : open}
          onApply={choose}
        />
        {notes.length === 0 ? null : (
          <div className={reach.reach}>
            {notes.map(({ id, text }) => (
              <p key={id}>{text}</p>
            ))}
          </div>
        )}
      </div>
    </Popover>
  )
}

const open = { from: '', to: '' }

function Preset({ label, current, onChoose }: { label: string; current: boolean; onChoose: () => void }) {
  return (
    <li>
      <Button variant={current ? 'default' : 'quiet'} aria-pressed={current} onClick={onChoose}>
        {label}
      </Button>
    </li>
  )
}

function CustomRange({
  initial,
  onApply,
}: {
  initial: { from: string; to: string }
  onApply: (text: string) => void
}) {
  const [{ from, to }, setDates] = useState({ from: initial.from, to: initial.to })
  const text = customRangeText({ from, to })
  const problem =
    from !== '' && to !== '' && from > to ? '“To” is before “From”. Choose a later date.' : undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    if (text !== undefined && problem === undefined) onApply(text)
  }
  return (
    <form className={styles.custom} aria-label="Custom range" onSubmit={submit}>
      <div className={editor.pair}>
        <DateField label="From" value={from} onChange={(next) => setDates({ from: next, to })} />
        <DateField label="To" value={to} error={problem} onChange={(next) => setDates({ from, to: next })} />
      </div>
      <Button type="submit" variant="primary" disabled={text === undefined || problem !== undefined}>
        Apply
      </Button>
    </form>
  )
}

/** Returns the tiles that do not follow the range of the page, with reasons. */
function notesOf(insight: InsightData): { id: string; text: string }[] {
  const notes = insight.content.tiles.flatMap((tile) => {
    if (tile.hidden === true) return []
    const source = tileRange(tile, insight)
    const note = (text: string) => [{ id: tile.id, text: `“${appliedHeading(tile, insight.sets)}” ${text}.` }]
    if (source.by === 'parameters')
      return note(`takes its range from ${source.set.title || source.set.id}: ${describeRange(source.range)}`)
    if (source.by !== 'tile' || !source.isFixed) return []
    const why = source.comparesYears ? ' because it compares years' : ''
    return note(
      `keeps its own range${why}${source.range === undefined ? '' : `: ${describeRange(source.range)}`}`,
    )
  })
  return hasRangedBoxes(insight) ? [...notes, { id: 'boxes', text: boxesKeepRange }] : notes
}
