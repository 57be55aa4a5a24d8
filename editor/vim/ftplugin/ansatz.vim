setlocal commentstring=#\ %s comments=b:##,b:# shiftwidth=2 softtabstop=2 expandtab
setlocal errorformat=%f:%l:%c:\ %trror[%*[^]]]:\ %m,%f:%l:%c:\ %tarning[%*[^]]]:\ %m
setlocal makeprg=pde\ check\ --quiet\ %
setlocal formatprg=pde\ fmt\ -
