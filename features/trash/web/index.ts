import { type FeatureRoutes, routeNames } from '@headwater/web-kit'

/** Routes of the trash feature. */
export const trashWeb: FeatureRoutes = {
  routes: [
    {
      path: routeNames.trash,
      lazy: () => import('./screens/TrashScreen.tsx'),
      access: { resource: 'Lake' },
      warehouseOnly: true,
    },
  ],
}
