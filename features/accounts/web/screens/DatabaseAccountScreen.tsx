import { ComingPage } from '@headwater/web-kit'

/** Screen for setting up an account at the warehouse database; not available yet. */
export default function DatabaseAccountScreen() {
  return (
    <ComingPage title="Database account setup">
      In a later version, you can set up your own account on the warehouse database here and see how to
      connect to it from other programs.
    </ComingPage>
  )
}
