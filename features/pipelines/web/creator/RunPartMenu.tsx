import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { Button, Menu } from '@headwater/web-kit'
import type { RunPart } from '../pipelines-client.ts'

/** Menu of a task that runs a part of the pipeline. */
export function RunPartMenu({ nodeId, onRun }: { nodeId: string; onRun: (part: RunPart) => void }) {
  return (
    <Menu
      trigger={
        <Button icon={<IconPlayerPlay size={16} stroke={1.6} aria-hidden="true" />}>
          Run part of the pipeline
        </Button>
      }
      items={[
        { label: 'Only this task', onClick: () => onRun({ onlyNodeId: nodeId }) },
        { label: 'This task and all before it', onClick: () => onRun({ untilNodeId: nodeId }) },
        { label: 'This task and all after it', onClick: () => onRun({ fromNodeId: nodeId }) },
      ]}
    />
  )
}
