import { useEffect } from 'react'
import { Navigate, useParams } from 'react-router'
import { links, message } from '@headwater/web-kit'

/** Where a pipeline would open. There are none in this version, so whichever is asked for is not found: leads to the list. */
export default function NoPipelinePage() {
  const { groupName = '', name = '' } = useParams()
  useEffect(() => {
    message(`There is no pipeline ${name} in the group ${groupName}.`, 'info')
  }, [groupName, name])
  return <Navigate to={links.scienceList()} replace />
}
