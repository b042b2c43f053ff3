import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { CategoriesService } from './categories.service.js';
import { Category, CategoryTree, CreateCategoryRequest, UpdateCategoryRequest } from './category.dto.js';

@ApiTags('Datasets')
@Controller('datasets/categories')
export class CategoriesController {
  constructor(private readonly categories: CategoriesService) {}

  /**
   * Read the category tree.
   * @remarks All categories of the tenant, each with the number of datasets in it that the caller sees.
   */
  @Get('tree')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getCategoryTree' })
  async tree(@Ctx() ctx: RequestContext): Promise<CategoryTree> {
    return this.categories.tree(ctx);
  }

  /**
   * Create a category.
   * @remarks The name must be unique under its parent without regard to case; the tree has at most 8 levels.
   */
  @Post()
  @Permit('datasets:write')
  @ApiOperation({ operationId: 'createCategory' })
  async create(@Ctx() ctx: RequestContext, @Body() request: CreateCategoryRequest): Promise<Category> {
    return this.categories.create(ctx, request);
  }

  /**
   * Change a category.
   * @remarks Renames or moves a category; fields that are left out stay unchanged. A category cannot be moved below itself (422).
   */
  @Patch(':category_id')
  @Permit('datasets:write')
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiOperation({ operationId: 'updateCategory' })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('category_id') id: string,
    @Body() patch: UpdateCategoryRequest,
  ): Promise<Category> {
    return this.categories.update(ctx, id, patch);
  }

  /**
   * Delete a category.
   * @remarks Datasets of the category stay and no longer belong to it. A category with children is refused (409).
   */
  @Delete(':category_id')
  @HttpCode(204)
  @Permit('datasets:write')
  @ApiOperation({ operationId: 'deleteCategory' })
  async delete(@Ctx() ctx: RequestContext, @Param('category_id') id: string): Promise<void> {
    await this.categories.delete(ctx, id);
  }
}
