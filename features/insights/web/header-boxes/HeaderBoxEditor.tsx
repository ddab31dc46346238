import { useState } from 'react'
import { type FormItems, SchemaForm } from '@headwater/web-kit'
import {
  AddButton,
  editorStyles as styles,
  RangeFields,
  SeriesPicker,
  comparisonNames,
  risingNames,
  statisticNames,
} from '@headwater/tiles/web'
import { PartTools } from '../components/PartTools.tsx'
import {
  labelOf,
  statsTile,
  type StatsTile,
  copiedHeaderBox,
  headerBox,
  type HeaderBox,
  maxHeaderBoxes,
  tileOfBox,
} from '@headwater/tile-data/core'

const items: FormItems<HeaderBox> = [
  { field: 'title', label: 'Title', maxLength: 200 },
  { field: 'content', label: 'Content', choices: { TEXT: 'Text', STATISTIC: 'Statistic of a series' } },
  {
    field: 'text',
    label: 'Text',
    rows: 4,
    maxLength: 2000,
    hint: '{{label}} is replaced with the value of the input parameter that has this label.',
    when: ({ content }) => content === 'TEXT',
  },
]

const isLast = ({ statistic }: StatsTile) => statistic === 'LAST'
const statisticItems: FormItems<StatsTile> = [
  { field: 'statistic', label: 'Value', choices: statisticNames },
  [
    { field: 'unit', label: 'Unit', maxLength: 20 },
    {
      field: 'comparison',
      label: 'Compare with',
      choices: comparisonNames,
      disabled: (stats) => !isLast(stats),
    },
  ],
  {
    when: (stats) => isLast(stats) && stats.comparison !== 'NONE',
    items: [
      [
        {
          field: 'comparisonAmount',
          label: 'Number of periods',
          disabled: ({ comparison }) => comparison === 'RANGE_START',
        },
        { field: 'rising', label: 'An increase is', choices: risingNames },
      ],
    ],
  },
  { field: 'sparkline', label: 'Sparkline' },
  { field: 'freshness', label: 'Show data age' },
]

/** The settings of a header box and its actions. */
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
  /** Receives the new list of boxes; consecutive changes of one topic are a single undo step. */
  onBoxes: (boxes: HeaderBox[], topic?: string) => void
  onSelect: (id: string | undefined) => void
}) {
  const set = (fields: Partial<HeaderBox>, topic?: string) =>
    onBoxes(
      boxes.map((each) => (each.id === box.id ? { ...box, ...fields } : each)),
      `${box.id} ${topic ?? Object.keys(fields).join()}`,
    )
  return (
    <div className={styles.fields}>
      <PartTools
        name={box.title === '' ? 'box' : box.title}
        part={box}
        parts={boxes}
        limit={maxHeaderBoxes}
        copy={() => copiedHeaderBox(box, newId(), boxes)}
        onChange={onBoxes}
        onSelect={onSelect}
      />
      <SchemaForm schema={headerBox} items={items} value={box} onChange={set} />
      {box.content === 'TEXT' ? null : <StatisticFields box={box} set={set} />}
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
      <SchemaForm schema={statsTile} items={statisticItems} value={stats} onChange={set} />
      <RangeFields tile={tileOfBox(box)} onChange={(fields, topic) => set(fields, topic)} />
    </>
  )
}
