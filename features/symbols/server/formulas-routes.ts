import type { Router, FairQueue } from '@headwater/server-kit'
import { changeFormula, createFormula, findFormula, previewFormula } from '../contract/index.ts'
import type { FormulasService } from './formulas-service.ts'
import { workInTurn } from './work-in-turn.ts'

/** Connects the routes of formulas with their rules. */
export function registerFormulasRoutes(
  router: Router,
  { formulas, turns }: { formulas: FormulasService; turns: FairQueue },
): void {
  router.add(createFormula, ({ body }, { principal }) => formulas.create(principal, body))
  router.add(changeFormula, ({ body }, { principal }) => formulas.change(principal, body))
  router.add(findFormula, ({ body }, { principal }) => formulas.find(principal, body))
  router.add(previewFormula, ({ body }, context) =>
    workInTurn(context, { turns, cost: body.inputs.length }, (signal) =>
      formulas.preview(context.principal, body, signal),
    ),
  )
}
