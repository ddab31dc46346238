import { beforeAll } from 'vitest'
import { dismissToast, visibleToasts } from '../../kit/web/src/ui/toasts.ts'

// Files of one worker share its modules, so toasts of one file must not reach the next.
beforeAll(() => {
  for (const { id } of visibleToasts.get()) dismissToast(id)
})
