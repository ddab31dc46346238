import IconGitBranch from '@tabler/icons-react/dist/esm/icons/IconGitBranch.mjs'
import { EmptyState } from '@headwater/web-kit'
import { TileMessage } from '../../card/TileStates.tsx'
import type { TileViewProps } from '../tile-view.ts'
import { workflowKindOf } from './workflow-tile.ts'

/** A workflow tile, which only describes its purpose because it is not available yet. */
export default function WorkflowTileView({ tile }: TileViewProps) {
  return (
    <TileMessage>
      <EmptyState icon={<IconGitBranch size={20} stroke={1.6} />} title="Not available yet">
        {workflowKindOf(tile.type)?.text} The tile and its settings are stored.
      </EmptyState>
    </TileMessage>
  )
}
