import type { ReactNode } from 'react'
import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs'
import { EmptyState } from '../ui/ErrorState.tsx'
import { Page } from './Page.tsx'

/** A placeholder page that describes planned content. */
export function ComingPage({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <Page>
      <EmptyState icon={<IconHourglass size={20} stroke={1.6} />} title={title} action={action}>
        This page is not available yet. {children}
      </EmptyState>
    </Page>
  )
}
