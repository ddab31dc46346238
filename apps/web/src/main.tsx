import { createRoot } from 'react-dom/client'
import { forgetDraftsOfOthers, startSession } from '@headwater/accounts/web'
import { watchConnectivity, watchUncaughtErrors } from '@headwater/web-kit'
import '@headwater/web-kit/theme/tokens.css'
import '@headwater/web-kit/theme/fonts.css'
import '@headwater/web-kit/theme/mantine.css'
import '@headwater/web-kit/theme/base.css'
import { App } from './App.tsx'
import { sendErrorReports } from './error-log.ts'

watchUncaughtErrors(window)
watchConnectivity(window)
sendErrorReports()
forgetDraftsOfOthers()
void startSession()

createRoot(document.getElementById('root')!).render(<App />)
