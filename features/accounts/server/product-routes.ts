import { getConfiguration, reportError, type ProductConfiguration } from '@headwater/accounts/contract'
import type { Router } from '@headwater/server-kit'
import type { ErrorReports } from './error-reports.ts'

/** Registers the routes that the web app needs before sign-in. */
export function registerProductRoutes(
  router: Router,
  { product, errorReports }: { product: ProductConfiguration; errorReports: ErrorReports },
): void {
  router.add(getConfiguration, async () => product)

  router.add(reportError, async ({ body }, { principal, request }) => {
    errorReports.take({
      ...body,
      userName: principal?.userName ?? body.userName,
      signedIn: principal !== undefined,
      address: request.ip,
    })
    return {}
  })
}
