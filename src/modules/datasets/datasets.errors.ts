import { defineErrors } from '#libs/common';

export const datasetErrors = defineErrors('datasets', {
  not_found: {
    status: 404,
    title: 'Dataset not found',
    detail: (f: { id: string }) => `There is no dataset ${f.id}, or you may not see it.`,
  },
  name_taken: {
    status: 409,
    title: 'Dataset name taken',
    detail: (f: { name: string }) =>
      `Another dataset of the tenant is already called "${f.name}" (names are compared without regard to case). Choose another name.`,
  },
  key_restricted: {
    status: 403,
    title: 'API key is limited to certain datasets',
    detail: () =>
      'This API key is limited to a list of datasets and cannot create others. Use a key without dataset_ids.',
  },
  delete_forbidden: {
    status: 403,
    title: 'Dataset may not be deleted',
    detail: () => 'Only the owner of the dataset or an administrator of the tenant may delete it.',
  },
  acl_forbidden: {
    status: 403,
    title: 'Access rule may not be changed',
    detail: () =>
      'Only the owner of the dataset or an administrator of the tenant may change acl and partial_member_list.',
  },
  category_not_found: {
    status: 404,
    title: 'Category not found',
    detail: (f: { id: string }) => `There is no category ${f.id}. GET /datasets/categories/tree lists them.`,
  },
  category_name_taken: {
    status: 409,
    title: 'Category name taken',
    detail: (f: { name: string }) =>
      `There is already a category called "${f.name}" under the same parent. Choose another name or another parent.`,
  },
  category_has_children: {
    status: 409,
    title: 'Category has children',
    detail: (f: { children: number }) =>
      `The category still holds ${f.children} other ${f.children === 1 ? 'category' : 'categories'}. Delete or move them first.`,
  },
  category_cycle: {
    status: 422,
    title: 'Category inside itself',
    detail: () => 'A category cannot be moved into itself or into a category below it. Choose another parent_id.',
  },
  category_too_deep: {
    status: 422,
    title: 'Category too deep',
    detail: (f: { limit: number }) =>
      `The tree of categories has at most ${f.limit} levels. Choose a parent_id that is nearer to the root.`,
  },
  too_many_categories: {
    status: 409,
    title: 'Too many categories',
    detail: (f: { limit: number }) => `A tenant has at most ${f.limit} categories. Delete some first.`,
  },
});
