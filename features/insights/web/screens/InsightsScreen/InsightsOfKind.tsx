import { Navigate, useLocation } from 'react-router'
import { links, routeNames, sameName } from '@headwater/web-kit'

/** `/Insight/Visualisations` and `/Insight/Workflows` are the tabs of the list. */
export default function InsightsOfKind() {
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1)
  const hash = sameName(last, routeNames.workflows) ? routeNames.workflows : routeNames.visualisations
  return <Navigate to={`${links.insightList()}#${hash}`} replace />
}
