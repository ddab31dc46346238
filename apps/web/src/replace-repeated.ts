import { createPath, type DataRouter, type To } from 'react-router'

/**
 * Replaces the history entry when the user navigates to the current address, as browsers do with links. A double click then
 * needs one step back, not two.
 */
export function replaceRepeatedNavigation(
  router: Pick<DataRouter, 'navigate' | 'state' | 'encodeLocation'>,
): void {
  const navigate = router.navigate.bind(router)
  function navigateOnce(to: number | To | null, options?: Parameters<typeof navigate>[1]): Promise<void> {
    if (typeof to === 'number') return navigate(to)
    // On the second click, the link still compares its target with the previous address.
    const isRepeated = to !== null && leadsHere(to)
    return navigate(to, isRepeated ? { ...options, replace: true } : options)
  }
  function leadsHere(to: To): boolean {
    const path = typeof to === 'string' ? to : to.pathname
    if (path?.startsWith('/') !== true) return false
    const { location } = router.state
    return createPath(router.encodeLocation(to)) === createPath(location)
  }
  router.navigate = navigateOnce
}
