export(tabulate((a: [1, 2])), "")
#! error E0506
#! status 1
