import { useState } from 'react'
import { NumberField, Select, Switch, TextField } from '@headwater/web-kit'
import { AddButton } from '../components/AddButton.tsx'
import styles from '../components/Editor.module.css'
import { PartTools } from '../components/PartTools.tsx'
import { RangeFields } from '../components/RangeFields.tsx'
import { SeriesPicker } from '../components/SeriesPicker.tsx'
import { labelOf } from '../../contract/tiles/stats/stat-values.ts'
import { comparisonNames, risingNames, statisticNames } from '../tiles/stats/stat-names.ts'
import { statsTile } from '../../contract/tiles/stats/stats-tile.ts'
import { copiedHeaderBox, type HeaderBox, maxHeaderBoxes, tileOfBox } from '../../core/header-box.ts'

/** The settings of a header box, and what can be done to it. */
export default function HeaderBoxEditor({
  box,
  boxes,
  newId,
  onBoxes,
  onSelect,
}: {
  box: HeaderBox
  boxes: readonly HeaderBox[]
  newId: () => string
  /** Takes all boxes as they are to be; changes of one topic in a row are one step to undo. */
  onBoxes: (boxes: HeaderBox[], topic?: string) => void
  onSelect: (id: string | undefined) => void
}) {
  const place = boxes.findIndex(({ id }) => id === box.id)
  const set = (fields: Partial<HeaderBox>, topic?: string) =>
    onBoxes(boxes.with(place, { ...box, ...fields }), `${box.id} ${topic ?? Object.keys(fields).join()}`)
  return (
    <div className={styles.fields}>
      <PartTools
        name={box.title === '' ? 'box' : box.title}
        place={place}
        count={boxes.length}
        full={boxes.length >= maxHeaderBoxes}
        onDuplicate={() => {
          const copy = copiedHeaderBox(box, newId(), boxes)
          onBoxes(boxes.toSpliced(place + 1, 0, copy))
          onSelect(copy.id)
        }}
        onMove={(by) => onBoxes(boxes.toSpliced(place, 1).toSpliced(place + by, 0, box))}
        onRemove={() => {
          onBoxes(boxes.toSpliced(place, 1))
          onSelect(undefined)
        }}
      />
      <TextField label="Title" value={box.title} maxLength={200} onChange={(title) => set({ title })} />
      <Select
        label="Content"
        value={box.content}
        options={[
          { value: 'TEXT', label: 'Text' },
          { value: 'STATISTIC', label: 'Statistic of a series' },
        ]}
        onChange={(content) => set({ content: content === 'STATISTIC' ? 'STATISTIC' : 'TEXT' })}
      />
      {box.content === 'TEXT' ? (
        <TextField
          label="Text"
          rows={4}
          value={box.text}
          maxLength={2000}
          hint="{{label}} is replaced with the value of the input parameter that has this label."
          onChange={(text) => set({ text })}
        />
      ) : (
        <StatisticFields box={box} set={set} />
      )}
    </div>
  )
}

function StatisticFields({
  box,
  set,
}: {
  box: HeaderBox
  set: (fields: Partial<HeaderBox>, topic?: string) => void
}) {
  const [picking, setPicking] = useState(false)
  const stats = statsTile.parse(tileOfBox(box))
  const [series] = stats.series
  return (
    <>
      <div>
        <p className={styles.heading}>Series</p>
        {series === undefined ? null : (
          <div className={styles.row}>
            <span title={`${series.groupName}: ${labelOf(series)}`}>
              {labelOf(series)} <span className={styles.quiet}>{series.column}</span>
            </span>
          </div>
        )}
        <AddButton onClick={() => setPicking(true)}>
          {series === undefined ? 'Choose a series' : 'Choose another series'}
        </AddButton>
        <SeriesPicker
          open={picking}
          groupName={series?.groupName}
          onClose={() => setPicking(false)}
          onPick={([picked]) => {
            setPicking(false)
            if (picked !== undefined) set({ series: [{ ...picked, label: '' }] })
          }}
        />
      </div>
      <Select
        label="Value"
        value={stats.statistic}
        options={statisticNames}
        onChange={(statistic) => set({ statistic })}
      />
      <div className={styles.pair}>
        <TextField label="Unit" value={stats.unit} maxLength={20} onChange={(unit) => set({ unit })} />
        <Select
          label="Compare with"
          value={stats.comparison}
          options={comparisonNames}
          disabled={stats.statistic !== 'LAST'}
          onChange={(comparison) => set({ comparison })}
        />
      </div>
      {stats.comparison === 'NONE' || stats.statistic !== 'LAST' ? null : (
        <div className={styles.pair}>
          <NumberField
            label="How many"
            min={1}
            value={stats.comparisonAmount}
            disabled={stats.comparison === 'RANGE_START'}
            onChange={(amount) => set({ comparisonAmount: Math.max(1, Math.round(amount ?? 1)) })}
          />
          <Select
            label="An increase is"
            value={stats.rising}
            options={risingNames}
            onChange={(rising) => set({ rising })}
          />
        </div>
      )}
      <Switch label="Sparkline" checked={stats.sparkline} onChange={(sparkline) => set({ sparkline })} />
      <Switch label="Show data age" checked={stats.freshness} onChange={(freshness) => set({ freshness })} />
      <RangeFields tile={tileOfBox(box)} onChange={(fields, topic) => set(fields, topic)} />
    </>
  )
}
