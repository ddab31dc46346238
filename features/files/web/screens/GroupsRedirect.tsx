import { Navigate } from 'react-router'
import { links } from '@headwater/web-kit'

/** Redirects `/Lake/Groups`, the parent of the pages of groups, to a tab of the lake. */
export default function GroupsRedirect() {
  return <Navigate to={links.lake('groups')} replace />
}
