import { itemAccess } from '@headwater/items/server'
import { pipelineErrors } from '../contract/index.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'
import type { StoredPipeline } from './pipelines-store.ts'

/** Returns the access checks of saved pipelines. Access to a pipeline depends on access to its group. */
export function accessToPipelines({ store, groups }: Pick<PipelinesServiceDependencies, 'store' | 'groups'>) {
  return itemAccess<StoredPipeline>({ store, groups, errors: pipelineErrors })
}
