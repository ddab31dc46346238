import type { PipelineDetails } from '@headwater/pipelines/contract'
import type { Principal, Router } from '@headwater/server-kit'
import { findInsightExporter } from '../contract/index.ts'

/** Connects the route of e-mail exports. */
export function registerExportRoutes(
  router: Router,
  /** Function that finds the pipeline that sends an insight by e-mail. */
  findExporter: (principal: Principal, id: string) => Promise<PipelineDetails | undefined>,
): void {
  router.add(findInsightExporter, async ({ params }, { principal }) => ({
    pipeline: (await findExporter(principal, params.id)) ?? null,
  }))
}
