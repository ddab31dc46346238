import { abortedByClose, type Router } from '@headwater/server-kit'
import { changeFormula, createFormula, findFormula, previewFormula } from '../contract/index.ts'
import type { FormulasService } from './formulas-service.ts'

/** Connects the routes of formulas with their rules. */
export function registerFormulasRoutes(router: Router, formulas: FormulasService): void {
  router.add(createFormula, ({ body }, { principal }) => formulas.create(principal, body))
  router.add(changeFormula, ({ body }, { principal }) => formulas.change(principal, body))
  router.add(findFormula, ({ body }, { principal }) => formulas.find(principal, body))
  router.add(previewFormula, ({ body }, { principal, reply }) =>
    formulas.preview(principal, body, abortedByClose(reply.raw).signal),
  )
}
