import { abortedByClose, type Router } from '@headwater/server-kit'
import { runTileCode } from '../contract/index.ts'
import type { CodeService } from './code-service.ts'

/** Connects the route of code tiles with its rules. */
export function registerCodeRoutes(router: Router, code: CodeService): void {
  router.add(runTileCode, ({ body }, { principal, reply }) =>
    code.run(principal.userId, body, abortedByClose(reply.raw).signal),
  )
}
