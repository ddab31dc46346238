import type { Router, FairQueue } from '@headwater/server-kit'
import { changeFormula, createFormula, findFormula, previewFormula } from '../contract/index.ts'
import type { FormulasService } from './formulas-service.ts'
import { runQueued } from './run-queued.ts'

/** Registers the routes of formulas. */
export function registerFormulasRoutes(
  router: Router,
  { formulas, queryQueue }: { formulas: FormulasService; queryQueue: FairQueue },
): void {
  router.add(createFormula, ({ body }, { principal }) => formulas.create(principal, body))
  router.add(changeFormula, ({ body }, { principal }) => formulas.change(principal, body))
  router.add(findFormula, ({ body }, { principal }) => formulas.find(principal, body))
  router.add(previewFormula, ({ body }, context) =>
    runQueued(context, { queryQueue, cost: body.inputs.length }, (signal) =>
      formulas.preview(context.principal, body, signal),
    ),
  )
}
