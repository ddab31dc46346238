import { EmptyState } from '@headwater/web-kit'
import { useSettings } from '../use-session.ts'

/** The company of the signed-in user. */
export default function CompaniesTab() {
  const settings = useSettings()
  return (
    <EmptyState title={settings?.company || 'No company'}>
      You belong to this company. Companies, their tags and their metadata cannot be managed in this version.
    </EmptyState>
  )
}
