import { ComingPage } from '@headwater/web-kit'

/** Where a user will set up an account at the warehouse database. */
export default function DatabaseAccountScreen() {
  return (
    <ComingPage title="Database account setup">
      In a later version you will set up your own account at the warehouse database here and see how to
      connect to it from other programs.
    </ComingPage>
  )
}
