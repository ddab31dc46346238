import { useState } from 'react'
import IconAdjustments from '@tabler/icons-react/dist/esm/icons/IconAdjustments.mjs'
import { EmptyState, Tabs } from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import { coversPage, InsightPanel } from '../components/InsightPanel.tsx'
import { useInsightData } from '@headwater/tile-data/web'
import { ParamForm } from './ParamForm.tsx'
import { ParamSetsEditor } from './ParamSetsEditor.tsx'
import { useApply } from './use-apply.ts'

const tabs = [
  { value: 'fill', label: 'Choose values' },
  { value: 'build', label: 'Set up' },
]

/** The panel of the input parameters. Readers choose values; authors also configure the parameters. */
export default function ParamsPanel({
  editing,
  onContent,
  onClose,
  onUncover,
}: {
  editing: boolean
  /** Changes the definition; for editing only. */
  onContent: (fields: Partial<InsightContent>, topic?: string) => void
  onClose: () => void
  /** Called after values were applied if the panel covers the tiles that follow them. */
  onUncover: () => void
}) {
  const { sets, content } = useInsightData()
  const [tab, setTab] = useState(sets.length === 0 ? 'build' : 'fill')
  const { apply, busyId, results } = useApply()
  const visible = sets.filter(({ set }) => editing || !set.isHidden)
  const fill =
    visible.length === 0 ? (
      <EmptyState icon={<IconAdjustments size={20} stroke={1.6} />} title="No parameters yet">
        {editing
          ? 'Add parameters under “Set up”, then apply them to tiles.'
          : 'This insight has no parameters.'}
      </EmptyState>
    ) : (
      visible.map(({ set, chosen }) => (
        <ParamForm
          key={`${set.id} ${JSON.stringify(chosen)}`}
          set={set}
          applied={chosen}
          editing={editing}
          busy={busyId === set.id}
          result={results.get(set.id)}
          onApply={(values) =>
            void apply(set, values).then((applied) => {
              if (applied && coversPage()) onUncover()
            })
          }
        />
      ))
    )
  return (
    <InsightPanel title="Parameters" onClose={onClose}>
      {editing ? (
        <>
          <Tabs label="Parameters" value={tab} onChange={setTab} tabs={tabs} />
          <div role="tabpanel" aria-label={tabs.find(({ value }) => value === tab)?.label}>
            {tab === 'fill' ? (
              fill
            ) : (
              <ParamSetsEditor
                stored={content.inputParams ?? {}}
                onChange={(inputParams, topic) => onContent({ inputParams }, topic)}
                onTiles={(tiles) => onContent({ tiles })}
              />
            )}
          </div>
        </>
      ) : (
        fill
      )}
    </InsightPanel>
  )
}
