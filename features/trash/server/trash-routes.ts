import type { Router } from '@headwater/server-kit'
import { deleteTrashed, listTrash, restoreTrashed } from '../contract/index.ts'
import type { TrashService } from './trash-service.ts'

/** Registers the routes of the trash. */
export function registerTrashRoutes(router: Router, service: TrashService): void {
  router.add(listTrash, ({ params, query }, { principal }) => service.list(principal, params.kind, query))
  router.add(restoreTrashed, ({ params: { kind, id }, body }, { principal }) =>
    service.restore(principal, kind, id, body.name),
  )
  router.add(deleteTrashed, async ({ params: { kind, id } }, { principal }) => {
    await service.remove(principal, kind, id)
    return {}
  })
}
