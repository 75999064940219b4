"""The DFST and its training: model, recipes, engines, fewer dimensions, steady walks. Knows no grid."""
