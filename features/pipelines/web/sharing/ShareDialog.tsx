import { lazyPart, PartBoundary } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'

const SharePipelineDialog = lazyPart(() => import('./SharePipelineDialog.tsx'))

/** The dialog that shares a pipeline, loaded when it opens; undefined closes it. */
export function ShareDialog({ pipeline, onClose }: { pipeline: Pipeline | undefined; onClose: () => void }) {
  return (
    <PartBoundary fallback={null}>
      {pipeline === undefined ? null : <SharePipelineDialog pipeline={pipeline} onClose={onClose} />}
    </PartBoundary>
  )
}
